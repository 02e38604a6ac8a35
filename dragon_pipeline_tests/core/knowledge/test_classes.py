import pytest

from dragon_pipeline.core.knowledge.classes import CLASSES, NEVER, can_mean


@pytest.mark.parametrize(
    ("kind", "types", "wanted"),
    [
        ("PER", ("Q5",), True),
        ("PER", (), True),
        ("PER", ("Q515",), False),
        ("PER", ("Q101352",), False),
        ("PER", ("Q5", "Q4167410"), False),
        ("LOC", ("Q515",), True),
        ("LOC", ("Q5",), False),
        ("LOC", ("Q43229",), False),
        ("LOC", ("Q515", "Q43229"), True),
        ("ORG", ("Q515",), False),
        ("ORG", ("Q101352",), False),
        ("ORG", ("Q4167410",), False),
        ("ORG", ("Q99999999",), True),
        ("WORK", ("Q11424",), True),
        ("ROLE", ("Q11424",), False),
        ("ROLE", ("Q28640",), True),
        ("OTHER", ("Q5",), True),
        ("", ("Q18616576",), True),
        ("", ("Q5",), True),
    ],
)
def test_a_name_of_a_kind_means_only_what_can_be_of_it(kind, types, wanted):
    """Q515 city, Q101352 family name, Q4167410 disambiguation page, Q11424 film, Q28640 profession; what is of no class that
    is listed is not judged, and neither is a property."""
    assert can_mean(kind, types) is wanted


def test_classes_do_not_overlap_and_every_refusal_names_one():
    everything = [one for ids in CLASSES.values() for one in ids]
    assert len(everything) == len(set(everything))
    assert all(names <= set(CLASSES) for names in NEVER.values())
