"""The tables that cross stages: their columns, types and meaning, in flow order.

A stage's function takes and returns Polars frames of these tables. The IO manager adds `day` (the partition, `YYYY-MM-DD`)
to whatever it loads and takes it off what it stores, so `day` is never declared here.
"""

from dragon_pipeline.core.gathered import CRAWL, OUTLETS
from dragon_pipeline.core.published import ANSWERS, RELEASE, REVISION, SCORES
from dragon_pipeline.core.table import FLAG, FLOAT, INT, LIST, TEXT, Column, Table

LEDGER = Table(
    "ledger",
    "That day's canonical URLs with the content each had; one row per URL and content.",
    ("url", "content_hash"),
    {
        "url": Column(TEXT, "canonical URL"),
        "content_hash": Column(TEXT, "SHA-256 of title and cleaned text"),
        "article_id": Column(TEXT, "hash of canonical URL and content hash, 16 hex digits"),
        "outlet": Column(TEXT, "outlet"),
        "published_at": Column(TEXT, "as in crawl", null=True),
        "modified_at": Column(TEXT, "as in crawl", null=True),
        "fetch": Column(INT, "as in crawl"),
        "latest": Column(FLAG, "the version of this URL that won that day (modified date, then fetch)"),
    },
)

ARTICLES = Table(
    "articles",
    "The increment: articles new or changed against the window before, cleaned, latest version per URL.",
    ("article_id",),
    {
        "article_id": Column(TEXT, "as in ledger"),
        "url": Column(TEXT, "canonical URL"),
        "outlet": Column(TEXT, "outlet"),
        "version": Column(INT, "contents of this URL that the window knows by then, this one included: 1 for the first"),
        "change": Column(TEXT, "`new` or `changed`"),
        "title": Column(TEXT, "headline, cleaned"),
        "text": Column(TEXT, "lead and body, cleaned; every offset of later tables counts characters in it"),
        "author": Column(TEXT, "as the page names it", null=True),
        "section": Column(TEXT, "rubric", null=True),
        "published_at": Column(TEXT, "ISO 8601; null for an article without a real date (`undated`)", null=True),
    },
)

STORIES = Table(
    "stories",
    "Near-duplicate clusters over the window: reprints of one story across outlets.",
    ("story_id", "article_id"),
    {
        "story_id": Column(TEXT, "article_id of its first article in the window (day, time, article_id)"),
        "article_id": Column(TEXT, "member"),
        "similarity": Column(
            FLOAT, "to the member that drew it in: Jaccard, or half the share of the shorter; 1 for the first one"
        ),
    },
)

MENTIONS = Table(
    "mentions",
    "Named entities found in the articles, with character offsets and normal forms.",
    ("article_id", "start"),
    {
        "article_id": Column(TEXT, "article"),
        "kind": Column(TEXT, "PER, LOC or ORG"),
        "text": Column(TEXT, "as written"),
        "start": Column(INT, "first character in articles.text"),
        "stop": Column(INT, "one past the last character"),
        "normal": Column(TEXT, "normal form (nominative; a person's full name where the article gives it)"),
        "lemmas": Column(TEXT, "lemmas joined by a space, lower case, ё as е"),
    },
)

TRIPLETS = Table(
    "triplets",
    "Head – relation – tail with the evidence sentence; the dropped are kept with the reason.",
    ("article_id", "start", "triplet_id"),
    {
        "triplet_id": Column(TEXT, "hash of article, sentence offsets, head, relation, tail, 16 hex digits"),
        "article_id": Column(TEXT, "article version"),
        "head": Column(TEXT, "normal form"),
        "head_kind": Column(TEXT, "PER, LOC, ORG, WORK or OTHER"),
        "relation": Column(TEXT, "normal form: lemma of the verb with its preposition, or a noun"),
        "tail": Column(TEXT, "normal form; values stay strings"),
        "tail_kind": Column(TEXT, "PER, LOC, ORG, WORK, ROLE, YEAR, DATE, NUMBER or OTHER"),
        "start": Column(INT, "first character of the evidence sentence in articles.text"),
        "stop": Column(INT, "one past its last character"),
        "wording": Column(
            TEXT, "JSON: what the rule writer needs to say it (forms, gender, case); null from a model", null=True
        ),
        "status": Column(TEXT, "`kept`, `dropped`, or `failed`: an article that the model gave nothing usable for"),
        "reason": Column(TEXT, "why it was dropped or failed", null=True),
        "raw": Column(TEXT, "of a failed one, the model's reply as it came", null=True),
    },
)

CANDIDATES = Table(
    "candidates",
    "Up to five nearest Wikidata items or properties per name and article, best first.",
    ("kind", "name", "name_kind", "article_id", "rank"),
    {
        "kind": Column(TEXT, "`item` or `property`"),
        "name": Column(TEXT, "the head, tail or relation as in triplets"),
        "name_kind": Column(TEXT, "kind of the head or tail; empty for a property"),
        "article_id": Column(
            TEXT, "article whose sentence is the context; empty for a property, which means the same anywhere"
        ),
        "rank": Column(INT, "1 is best"),
        "wikidata_id": Column(TEXT, "Q… or P…"),
        "label": Column(TEXT, "label in the language of the articles"),
        "description": Column(TEXT, "description in the same language; may be empty"),
        "match": Column(TEXT, "`label` or `alias`"),
        "variant": Column(TEXT, "of the name, what was found: `name` itself, or what was done to it", null=True),
        "similarity": Column(FLOAT, "cosine of name + context and label + description"),
        "sitelinks": Column(INT, "Wikimedia pages about it"),
    },
)

FACTS = Table(
    "facts",
    "Triplets after linking and normalisation, with what Wikidata knows of them.",
    ("article_id", "start", "fact_id"),
    {
        "fact_id": Column(TEXT, "hash of the article version and the linked head, relation and tail, 16 hex digits"),
        "triplet_id": Column(TEXT, "triplet behind it"),
        "article_id": Column(TEXT, "article version"),
        "url": Column(TEXT, "canonical URL of the article"),
        "outlet": Column(TEXT, "outlet of the article"),
        "head": Column(TEXT, "normal form, as the article names it; what it is linked to is in its id"),
        "head_id": Column(TEXT, "Q-id, or `local:` and a hash of normal form and kind"),
        "head_kind": Column(TEXT, "as in triplets"),
        "relation": Column(TEXT, "normal form"),
        "relation_id": Column(TEXT, "P-id, or null when unlinked", null=True),
        "tail": Column(TEXT, "normal form, as the article names it; what it is linked to is in its id"),
        "tail_id": Column(TEXT, "as head_id"),
        "tail_kind": Column(TEXT, "as in triplets"),
        "novelty": Column(TEXT, "`novel`, `known` or `unsure`"),
        "why": Column(TEXT, "what decided novelty: unlinked_head, no_statement, stated, possibly_known, unresolved_tail, …"),
        "statement_id": Column(TEXT, "the Wikidata statement that states it or, of an unsure one, may", null=True),
        "revision": Column(
            TEXT, "what of Wikidata novelty was decided against: a dump's date, or items with their `lastrevid`"
        ),
        "head_link": Column(TEXT, "why the head is linked or kept: picked, kept, no_candidates, too_far, …"),
        "relation_link": Column(TEXT, "the same of the relation"),
        "tail_link": Column(TEXT, "the same of the tail"),
        "held_back": Column(TEXT, "why it is not asked though novel: `undated`, …; null when it may be asked", null=True),
        "sentence": Column(TEXT, "evidence sentence"),
        "start": Column(INT, "its first character in articles.text"),
        "stop": Column(INT, "one past its last character"),
        "wording": Column(TEXT, "as in triplets", null=True),
        "published_at": Column(TEXT, "of the article, as in articles; what «yesterday» in its sentence counts from", null=True),
    },
)

SUBGRAPHS = Table(
    "subgraphs",
    "Sampled shapes of one to n facts with roles: asked, given, bridge.",
    ("qa_id",),
    {
        "qa_id": Column(TEXT, "hash of question type and subgraph, 16 hex digits; stable over re-runs"),
        "type": Column(TEXT, "simple, set, multi_hop, conditional or comparison"),
        "fact_ids": Column(LIST, "the facts, in the order of the roles"),
        "asked": Column(LIST, "names of the asked nodes: the answers"),
        "given": Column(LIST, "names of the nodes that the question mentions"),
        "bridge": Column(TEXT, "name of the shared node of multi_hop (not mentioned) and conditional (the answer)", null=True),
        "direction": Column(TEXT, "of comparison, whose value is asked for: `more` (later) or `less` (earlier)", null=True),
        "cross_story": Column(FLAG, "its facts come from different stories"),
        "one_article": Column(FLAG, "one gold article holds all its facts"),
        "article_ids": Column(LIST, "gold: the facts' own articles plus their story mates, sorted"),
        "subgraph": Column(TEXT, "JSON: [{fact_id, head, relation, tail, head_id, relation_id, tail_id, asked}], sorted keys"),
    },
)

QA = Table(
    "qa",
    "Question and answers written from each subgraph; those that could not be written carry a reason.",
    ("qa_id",),
    {
        "qa_id": Column(TEXT, "as in subgraphs"),
        "type": Column(TEXT, "question type"),
        "question": Column(TEXT, "null when the writer failed", null=True),
        "answer": Column(TEXT, "the answers as one string", null=True),
        "answers": Column(LIST, "the answers, taken from the subgraph"),
        "given": Column(LIST, "as in subgraphs"),
        "bridge": Column(TEXT, "as in subgraphs", null=True),
        "direction": Column(TEXT, "as in subgraphs", null=True),
        "fact_ids": Column(LIST, "as in subgraphs"),
        "article_ids": Column(LIST, "gold articles"),
        "cross_story": Column(FLAG, "as in subgraphs"),
        "one_article": Column(FLAG, "as in subgraphs"),
        "subgraph": Column(TEXT, "as in subgraphs"),
        "writer": Column(TEXT, "`rules`, or the model's name"),
        "reason": Column(TEXT, "why nothing was written; null when it was", null=True),
        "raw": Column(TEXT, "of what could not be written, the model's reply as it came", null=True),
    },
)

VERDICTS = Table(
    "verdicts",
    "One row per QA and screen.",
    ("qa_id", "order"),
    {
        "qa_id": Column(TEXT, "question"),
        "order": Column(INT, "place of the screen in cost order, from 0"),
        "screen": Column(TEXT, "grammar, entities, correspondence, standalone, duplicates, closed_book, multi_hop, judge_…"),
        "outcome": Column(TEXT, "`passed`, `failed` or `not_run`"),
        "score": Column(FLOAT, "what the screen measured, its own scale", null=True),
        "reason": Column(TEXT, "why it failed or did not run; a short snake_case word, details after a colon", null=True),
        "evidence": Column(TEXT, "what it rests on, where there is something to show: replies of models as JSON", null=True),
    },
)

ACCEPTED = Table(
    "accepted",
    "Questions that passed every required screen and failed none, best first, at most N per type.",
    ("type", "rank"),
    {
        **QA.columns,
        "rank": Column(INT, "place within the type, 1 first: by worth, see core/screening/ranking.py"),
        "score": Column(FLOAT, "quality: mean of its screens' scores, 0 to 1 (a judge's 0 to 2 is halved)"),
        "standing": Column(TEXT, "JSON, what gave its rank: {tier, quality, entity, story, relation, worth}"),
    },
)

REJECTED = Table(
    "rejected",
    "The rest, with the screen and the first reason.",
    ("qa_id",),
    {
        **QA.columns,
        "screen": Column(TEXT, "first screen that failed it; `writing` or `quota` when no screen did"),
        "because": Column(TEXT, "its reason"),
        "verdicts": Column(TEXT, "every verdict in cost order, as JSON: [{screen, outcome, score, reason, evidence}]"),
    },
)

FUNNEL = Table(
    "funnel",
    "What became of the day, stage by stage: what came in, what went on, what was lost and why.",
    ("order", "type"),
    {
        "order": Column(INT, "place of the stage in the flow, from 0"),
        "stage": Column(TEXT, "articles, triplets, facts, subgraphs, questions, each screen by its name, accepted"),
        "type": Column(TEXT, "question type, or `all`"),
        "unit": Column(TEXT, "what the stage counts: article, triplet, fact, question"),
        "rows_in": Column(INT, "of them, those that came to the stage"),
        "rows_out": Column(INT, "those that went on; rows_in is rows_out and everything in `lost`"),
        "lost": Column(TEXT, "JSON: reason → how many were lost for it, most first"),
        "state": Column(
            TEXT, "of a screen: ran, partly, not_run, not_applicable (to this type) or none_left (nothing to judge)", null=True
        ),
        "failed": Column(INT, "of a screen: questions that it failed, those that had failed an earlier one too", null=True),
        "note": Column(TEXT, "of a screen, why it did not run; of `accepted`, why a type has fewer than its quota", null=True),
    },
)

TABLES = {
    table.name: table
    for table in (
        CRAWL, OUTLETS, LEDGER, ARTICLES, STORIES, MENTIONS, TRIPLETS, CANDIDATES, FACTS, SUBGRAPHS, QA, VERDICTS, ACCEPTED,
        REJECTED, FUNNEL, RELEASE, REVISION, ANSWERS, SCORES,
    )
}  # fmt: skip
