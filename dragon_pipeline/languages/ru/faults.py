"""The hard faults of a Russian question, rule by rule: of its form, of its words, of its clauses."""

from collections.abc import Callable, Sequence

from dragon_pipeline.languages.ru import grammar_clauses, grammar_numbers, grammar_prepositions, grammar_rules

RULES: tuple[Callable[[Sequence[str]], str | None], ...] = (
    *grammar_rules.MORPHOLOGY_RULES,
    grammar_rules.company_case,
    grammar_rules.soldier_or_military,
    *grammar_prepositions.RULES,
    *grammar_clauses.RULES,
    *grammar_numbers.RULES,
)


def fault(question: str) -> str | None:
    """The first hard fault, as `rule: place`; None when there is none."""
    question = grammar_rules.readable(question)
    for rule in grammar_rules.FORM_RULES:
        if found := rule(question):
            return found
    said = grammar_rules.words(question)
    return next((found for rule in RULES if (found := rule(said))), None)
