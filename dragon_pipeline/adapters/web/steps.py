"""The ways to read an article out of a page, as data."""

from typing import Annotated, Literal, Self

import jmespath
from jmespath.exceptions import JMESPathError
from pydantic import AfterValidator, Field, model_validator

from dragon_pipeline.adapters.web.entry import Css
from dragon_pipeline.core.settings import Section

PageField = Literal["title", "lead", "text", "author", "section", "published_at", "modified_at", "canonical"]


def _is_jmespath(path: str) -> str:
    try:
        jmespath.compile(path)
    except JMESPathError as error:
        raise ValueError(f"{path!r} is no JMESPath: {error}") from error
    return path


JmesPath = Annotated[str, AfterValidator(_is_jmespath)]


class JsonLd(Section):
    """schema.org's articles and live blogs as JSON-LD."""

    by: Literal["json_ld"] = "json_ld"


class Microdata(Section):
    """schema.org's articles as `itemprop` attributes."""

    by: Literal["microdata"] = "microdata"


class Meta(Section):
    """OpenGraph and `article:` tags: title, date, section; never a text."""

    by: Literal["meta"] = "meta"


class NextPayload(Section):
    """The JSON that a Next.js page carries: `__NEXT_DATA__`, or the chunks of `self.__next_f.push`."""

    by: Literal["next"]
    script: Css = "#__NEXT_DATA__"
    root: JmesPath | None = Field(None, description="JMESPath of the article in the payload of `script`")
    has: tuple[str, ...] = Field((), description="keys of the object that is the article, wherever in the payload it lies")
    fields: dict[PageField, JmesPath] = Field(description="JMESPath in the article; `text` gives a list of paragraphs")

    @model_validator(mode="after")
    def says_where(self) -> Self:
        if not self.root and not self.has:
            raise ValueError("a Next.js payload needs `root`, or the keys in `has`")
        return self


class Selectors(Section):
    """CSS; the first selector of a field that finds something counts. `text` finds the paragraphs."""

    by: Literal["selectors"]
    fields: dict[PageField, tuple[Css, ...]]


Step = Annotated[JsonLd | Microdata | Meta | NextPayload | Selectors, Field(discriminator="by")]
GENERIC: tuple[JsonLd | Microdata | Meta, ...] = (JsonLd(), Microdata(), Meta())
"""What any site may have."""
