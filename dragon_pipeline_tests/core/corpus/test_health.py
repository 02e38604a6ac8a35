from dragon_pipeline.core.corpus.health import Loss, lost
from dragon_pipeline.core.records import CRAWL


def row(number, outlet, reason=None):
    status = "ok" if reason is None else "failed"
    given = {"url": f"https://{outlet}.example/{number}", "outlet": outlet, "fetch": 0, "status": status, "reason": reason}
    return dict.fromkeys(CRAWL.columns) | given | {"extractor": "none"}


def test_only_what_the_network_took_is_lost():
    reasons = [None, "no_connection", "timeout", "http_503", "http_404", "no_body", "http_50", "bad_date"]
    crawled = CRAWL.frame(
        [row(number, "vesti", reason) for number, reason in enumerate(reasons)] + [row(1, "gazeta"), row(2, "gazeta")]
    )
    assert lost(crawled) == Loss(pages=10, lost_to_network=3, share=0.3, by_outlet={"gazeta": 0.0, "vesti": 3 / 8})


def test_an_empty_crawl_lost_nothing():
    assert lost(CRAWL.empty()) == Loss(0, 0, 0.0, {})
