"""The local Hub against the clients that are not ours."""

import os
import subprocess
import sys

import httpx2
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, hf_hub_download
from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError

from dragon_pipeline_tests.local_hub.answers import READ, WRITE
from dragon_pipeline_tests.local_hub.server import LocalHub

NAME = "bench/texts"


@pytest.fixture
def api(local_hub: LocalHub) -> HfApi:
    return HfApi(endpoint=local_hub.url, token=WRITE)


def table(rows: int) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"id": range(rows)}), sink)
    return sink.getvalue().to_pybytes()


def commit(api: HfApi, files: dict[str, bytes], parent: str | None = None, private: bool = False) -> str:
    api.create_repo(NAME, repo_type="dataset", private=private, exist_ok=True)
    operations = [CommitOperationAdd(path, content) for path, content in files.items()]
    return api.create_commit(NAME, operations, commit_message="files", repo_type="dataset", parent_commit=parent).oid


def test_files_small_and_large_come_back(api, local_hub, tmp_path):
    files = {"data/train.parquet": table(3), "README.md": b"# texts\n"}
    made = commit(api, files)
    assert {request.route for request in local_hub.requests} >= {"create", "validate", "preupload", "batch", "upload", "commit"}
    for path, content in files.items():
        got = hf_hub_download(NAME, path, repo_type="dataset", revision=made, endpoint=local_hub.url, cache_dir=tmp_path)
        with open(got, "rb") as file:  # noqa: PTH123
            assert file.read() == content
    assert sorted(api.list_repo_files(NAME, repo_type="dataset")) == [".gitattributes", "README.md", "data/train.parquet"]


def test_a_parent_that_is_not_the_newest_is_refused_with_412(api):
    first = commit(api, {"a": b"1"})
    commit(api, {"a": b"2"}, first)
    with pytest.raises(HfHubHTTPError) as refused:
        commit(api, {"a": b"3"}, first)
    assert refused.value.response.status_code == 412


def test_a_tag_keeps_its_commit_and_is_made_once(api):
    first = commit(api, {"a": b"1"})
    api.create_tag(NAME, tag="1.0.0", repo_type="dataset", revision=first)
    second = commit(api, {"a": b"2"})
    refs = api.list_repo_refs(NAME, repo_type="dataset")
    assert {tag.name: tag.target_commit for tag in refs.tags} == {"1.0.0": first}
    assert refs.branches[0].target_commit == second
    with pytest.raises(HfHubHTTPError) as refused:
        api.create_tag(NAME, tag="1.0.0", repo_type="dataset", revision=second)
    assert refused.value.response.status_code == 409
    assert [one.commit_id for one in api.list_repo_commits(NAME, repo_type="dataset")][:2] == [second, first]


def test_files_are_deleted(api):
    commit(api, {"a": b"1", "b/c": b"2"})
    api.create_commit(NAME, [CommitOperationDelete("b/c")], commit_message="less", repo_type="dataset")
    assert sorted(api.list_repo_files(NAME, repo_type="dataset")) == [".gitattributes", "a"]


def test_a_private_dataset_needs_a_token(api, local_hub, tmp_path):
    commit(api, {"a": b"1"}, private=True)
    with pytest.raises(RepositoryNotFoundError):
        HfApi(endpoint=local_hub.url, token=False).repo_info(NAME, repo_type="dataset")
    read = HfApi(endpoint=local_hub.url, token=READ)
    assert read.repo_info(NAME, repo_type="dataset").private
    with pytest.raises(HfHubHTTPError) as refused:
        read.create_commit(NAME, [CommitOperationAdd("a", b"2")], commit_message="files", repo_type="dataset")
    assert refused.value.response.status_code == 403


def test_what_is_not_there_is_said_as_the_hub_says_it(api, local_hub, tmp_path):
    commit(api, {"a": b"1"})
    with pytest.raises(RevisionNotFoundError):
        api.list_repo_files(NAME, repo_type="dataset", revision="f" * 40)
    with pytest.raises(EntryNotFoundError):
        hf_hub_download(NAME, "b", repo_type="dataset", endpoint=local_hub.url, cache_dir=tmp_path)
    with pytest.raises(RepositoryNotFoundError):
        api.list_repo_refs("bench/nothing", repo_type="dataset")


def test_a_range_of_a_file_is_sent(api, local_hub):
    commit(api, {"data/x.parquet": b"0123456789"})
    url = f"{local_hub.url}/datasets/{NAME}/resolve/main/data/x.parquet"
    got = httpx2.get(url, headers={"Range": "bytes=3-5"})
    assert (got.status_code, got.content, got.headers["content-range"]) == (206, b"345", "bytes 3-5/10")
    assert httpx2.get(url, headers={"Range": "bytes=7-"}).content == b"789"
    assert httpx2.get(url, headers={"Range": "bytes=10-"}).status_code == 416


def test_it_fails_as_it_is_told(api, local_hub):
    commit(api, {"a": b"1"})
    head = api.repo_info(NAME, repo_type="dataset").sha
    local_hub.fail("commit", 503, retry_after="7")
    local_hub.fail("commit", "reset")
    local_hub.fail("commit", "lost")
    with pytest.raises(HfHubHTTPError) as busy:
        commit(api, {"a": b"2"})
    assert busy.value.response.headers["retry-after"] == "7"
    with pytest.raises(httpx2.TransportError):
        commit(api, {"a": b"2"})
    assert api.repo_info(NAME, repo_type="dataset").sha == head
    with pytest.raises(httpx2.TransportError):
        commit(api, {"a": b"2"})
    assert api.repo_info(NAME, repo_type="dataset").sha != head


def test_datasets_loads_by_tag_and_newest(api, local_hub):
    card = b"---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n    path: data/*.parquet\n---\n"
    api.create_repo(NAME, repo_type="dataset", private=True)
    for version, rows in (("1.0.0", 3), ("1.1.0", 5)):
        made = commit(api, {"README.md": card, "data/train.parquet": table(rows)})
        api.create_tag(NAME, tag=version, repo_type="dataset", revision=made)
    code = (
        "import datasets\n"
        f"print(datasets.load_dataset({NAME!r}, split='train', revision='1.0.0').num_rows)\n"
        f"print(datasets.load_dataset({NAME!r}, split='train').num_rows)\n"
    )
    environment = {**os.environ, **local_hub.env}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["3", "5"]
