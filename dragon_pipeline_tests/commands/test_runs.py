import dagster as dg

from dragon_pipeline.commands.runs import warnings_of


def test_what_checks_warn_of_is_told_line_by_line_and_what_they_pass_is_not():
    names = ("fine", "silent", "mute", "blocking")

    @dg.asset(check_specs=[dg.AssetCheckSpec(name, asset="outlets", blocking=name == "blocking") for name in names])
    def outlets():
        yield dg.Output(None)
        yield dg.AssetCheckResult(check_name="fine", passed=True, description="all is well")
        told = {"silent": "lenta: no article\nria: no article", "mute": None}
        for name, text in told.items():
            yield dg.AssetCheckResult(check_name=name, passed=False, severity=dg.AssetCheckSeverity.WARN, description=text)
        yield dg.AssetCheckResult(check_name="blocking", passed=True, description="nothing is lost")

    assert warnings_of(dg.materialize([outlets])) == [
        "silent: lenta: no article",
        "silent: ria: no article",
        "mute: failed",
    ]
