"""Reading a captured folder: four generations say the same, and every broken file is one line."""

import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.slurm import forecast_of
from shadowtime.scenarios.slurm import Capture, CaptureError, read_capture
from tests.scenarios.slurm.mutations import PARSERS, WHOLE, mutated
from tests.scenarios.slurm.support import ASSOCIATIONS, NOW, files, meta, number, write


def line(folder: Path) -> str:
    """The one line of a folder that cannot be read."""
    with pytest.raises(CaptureError) as caught:
        read_capture(folder)
    text = str(caught.value)
    assert "\n" not in text and len(text) < 400 + len(str(folder))
    return text.replace(str(folder), "").lstrip("/")


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("parser", PARSERS)
def test_a_cluster_is_read(tmp_path: Path, parser: int, packed: bool) -> None:
    """Jobs, nodes, partition, reservation and settings of each generation, plain and packed."""
    capture = read_capture(write(tmp_path, files(parser), packed))
    running, waiting = capture.jobs
    assert (running.nodes, running.holding, running.end) == (("n1", "n2"), True, NOW + 600)
    assert [(share.cores, share.memory) for share in running.shares] == [(3, 1000), (3, 1000)]
    assert waiting.waiting and waiting.request.exclusive and not running.request.exclusive
    request = waiting.request
    assert (request.least_nodes, request.most_nodes, request.cpus, request.cpus_per_task) == (2, 2, 8, 4)
    assert (request.memory_per_node, request.memory_per_cpu, waiting.limit) == (1000, 0, 60)
    assert capture.nodes[0].states == ("IDLE", "PLANNED") and capture.nodes[3].features == ("ib", "fast")
    (partition,) = capture.partitions
    assert (partition.tier, partition.most_minutes, partition.exclusive) == (5, 5760, True)
    (reservation,) = capture.reservations
    assert (reservation.nodes, "MAINT" in reservation.flags) == (("n3", "n4"), True)
    backfill = capture.settings.backfill
    assert (backfill.window, backfill.busy_nodes, backfill.max_job_test) == (2880, True, 500)
    assert capture.settings.licenses == {"matlab": 8, "fluent": 1}
    assert (capture.settings.kill_wait, capture.settings.over_time_limit) == (30, 60)


def test_generations_agree(tmp_path: Path) -> None:
    """The same facts in four forms are the same records, but for the number of the generation."""
    captures = [read_capture(write(tmp_path / str(parser), files(parser))) for parser in PARSERS]
    assert [capture.generation.rules for capture in captures] == ["22.05", "22.05", "24.11", "26.05"]

    def facts(capture: Capture) -> tuple[object, ...]:
        begin = capture.reservations[0].begin
        assert begin in (NOW + 1000, 1_700_001_000)
        return capture.jobs, capture.nodes, capture.partitions, capture.reservations[0].nodes

    assert facts(captures[0]) == facts(captures[1]) == facts(captures[2])


def test_a_completing_job_holds_the_nodes_that_it_has_not_left(tmp_path: Path) -> None:
    """`nodes` names the nodes that complete; the resources are still those of the whole job."""
    contents = files(42)
    contents["squeue.json"]["jobs"][0].update(job_state=["COMPLETING"], nodes="n2")
    job = read_capture(write(tmp_path, contents)).jobs[0]
    assert [(share.node, share.cores) for share in job.shares] == [("n2", 3)]


@pytest.mark.parametrize("parser", PARSERS)
def test_what_the_system_keeps_of_a_node_is_nothing_to_jobs(tmp_path: Path, parser: int) -> None:
    """Specialized cores and memory are taken off; a job that lists all cores holds the rest."""
    contents = files(parser)
    nodes = contents["sinfo.json" if parser == 38 else "nodes.json"]["nodes"]
    nodes[0] |= {"specialized_cores": 2, "specialized_memory": 600}
    capture = read_capture(write(tmp_path, contents))
    first, second = capture.nodes[:2]
    assert (first.cpus, first.cores, first.memory) == (4, 2, 3400)
    assert (second.cpus, second.cores, second.memory) == (4, 4, 4000)
    assert [(share.node, share.cores) for share in capture.jobs[0].shares] == [("n1", 2), ("n2", 3)]


@pytest.mark.parametrize(("cpus", "threads"), [(8, 2), (4, 1), (2, 1)])
def test_a_core_is_one_cpu_where_there_are_no_more_cpus_than_cores(
    tmp_path: Path, cpus: int, threads: int
) -> None:
    """Slurm gives jobs the threads of a core only if the CPUs of the node count them."""
    contents = files(42)
    contents["nodes.json"]["nodes"][0].update(cpus=cpus, threads=2)
    assert read_capture(write(tmp_path, contents)).nodes[0].threads == threads


def test_requests_by_device_and_by_thread_are_known(tmp_path: Path) -> None:
    """CPUs or memory by generic resource, and fewer threads of a core, are not lost."""
    contents = files(42)
    contents["squeue.json"]["jobs"][1].update(cpus_per_tres="gres:gpu:3", threads_per_core=1)
    running, waiting = read_capture(write(tmp_path, contents)).jobs
    assert (waiting.request.by_device, waiting.request.threads_per_core) == (True, 1)
    assert (running.request.by_device, running.request.threads_per_core) == (False, 0)


@pytest.mark.parametrize(
    ("text", "tasks", "cut"),
    [
        ("2-9:3,40%5", "2-9:3,40%5", False),
        ("2,4,6,8,1...%5", "2,4,6,8%5", True),
        ("2,4,6,...", "2,4,6", True),
        ("2-9:3,11-1...", "2-9:3", True),
    ],
)
def test_a_list_of_tasks_may_be_cut_off(tmp_path: Path, text: str, tasks: str, cut: bool) -> None:
    """`squeue` writes 64 characters of it; the last task may be a part of its number."""
    contents = files(42)
    contents["squeue.json"]["jobs"][1].update(array_job_id=2, array_task_string=text)
    array = read_capture(write(tmp_path, contents)).jobs[1].array
    assert array is not None and (array.waiting, array.cut) == (tasks, cut)


def test_the_commands_of_23_02_name_their_plugins_otherwise(tmp_path: Path) -> None:
    """`squeue --json` of 23.02 writes `meta.plugins`, its REST interface `meta.plugin`."""
    contents = files(39)
    meta = contents["squeue.json"]["meta"]
    contents["squeue.json"] |= {"meta": {"plugins": meta["plugin"], "Slurm": meta["Slurm"]}}
    assert read_capture(write(tmp_path, contents)).generation.parser == 39


def test_the_name_of_the_rest_interface_is_read(tmp_path: Path) -> None:
    """`jobs.json` stands for `squeue.json`."""
    contents = files(42)
    contents["jobs.json"] = contents.pop("squeue.json")
    assert len(read_capture(write(tmp_path, contents)).jobs) == 2


def test_limits_of_users_are_read_of_the_text_where_there_is_no_json(tmp_path: Path) -> None:
    """Of a quality of service with users; those of accounts and users stand below it, with what they use."""
    capture = read_capture(write(tmp_path, files(38) | {"assoc_mgr.txt": ASSOCIATIONS}))
    normal, capped = capture.qualities
    assert (normal.name, normal.priority, normal.limits) == ("normal", 100, {})
    assert (capped.name, capped.priority) == ("capped", 150)
    assert capped.limits == {("GrpJobs", ""): 7, ("MaxTRESPU", "node"): 8}
    assert [(each.user, each.account) for each in capture.associations] == [("ada", "secret")]
    assert capture.usage == {
        ("association", 3): {"cpu": 0},
        ("normal", "", ""): {"cpu": 0},
        ("capped", "", ""): {"jobs": 1, "cpu": 0},
        ("capped", "account", "secret"): {"jobs": 1, "cpu": 8},
        ("capped", "user", "ada"): {"jobs": 1, "cpu": 8},
        ("capped", "user", "grace"): {"jobs": 0, "cpu": 0},
    }


@pytest.mark.parametrize("grace", [0, 40, {"set": True, "infinite": False, "number": 40}])
def test_a_grace_time_is_no_limit(tmp_path: Path, grace: object) -> None:
    """Plain, or as 23.02 writes it: among the limits, and as one of them."""
    none = {"set": False, "infinite": True, "number": 0}
    limits = {"grace_time": grace, "factor": 4294967295.0, "max": {"active_jobs": {"count": none}}}
    quality = {"name": "day", "limits": limits, "priority": {"set": True, "infinite": False, "number": 7}}
    contents = files(39) | {"qos.json": {"qos": [quality]}}
    (found,) = read_capture(write(tmp_path, contents)).qualities
    assert (found.priority, found.grace, found.limits) == (7, 40 if grace else 0, {})


def test_a_node_that_is_not_listed_is_left_out_of_its_partition(tmp_path: Path) -> None:
    """So stands a FUTURE node; a job that requires it stays, and asks for it."""
    contents = files(42)
    contents["nodes.json"]["nodes"].pop()
    contents["squeue.json"]["jobs"][1].update(required_nodes="n4")
    capture = read_capture(write(tmp_path, contents))
    assert capture.partitions[0].nodes == ("n1", "n2", "n3")
    assert capture.jobs[1].request.required_nodes == ("n4",)
    assert [row.outcome for row in forecast_of(capture, capture.taken).rows] == ["skipped"]


def test_who_is_exclusive_is_unknown_without_the_older_form(tmp_path: Path) -> None:
    """The newest generation alone leaves it out, and the capture says so."""
    contents = files(45)
    del contents["squeue_v0.0.44.json"]
    capture = read_capture(write(tmp_path, contents))
    assert not capture.exclusive_known and not capture.jobs[1].request.exclusive


def test_an_unknown_field_is_ignored(tmp_path: Path) -> None:
    """What later releases add changes nothing."""
    contents = files(42)
    before = read_capture(write(tmp_path / "a", contents))
    contents["squeue.json"]["jobs"][0]["quantum_bits"] = {"set": 7}
    contents["nodes.json"]["nodes"][0]["mood"] = None
    after = read_capture(write(tmp_path / "b", contents))
    assert attrs.evolve(after, folder=before.folder) == before


Change = Callable[[dict[str, Any]], object]
BROKEN: list[tuple[str, Change, str]] = [
    ("squeue.json", lambda top: top["jobs"][1].pop("priority"), "squeue.json: jobs[1]: lacks priority"),
    ("squeue.json", lambda top: top["jobs"][0].update(nodes="n[1-"), "jobs[0].nodes: 'n[1-' is no list"),
    ("squeue.json", lambda top: top["jobs"][1].update(job_id=1), "jobs[1].job_id: is 1, as that"),
    ("squeue.json", lambda top: top["jobs"].append(7), "jobs[2]: is 7; expected an object"),
    ("squeue.json", lambda top: top.update(jobs="none"), "squeue.json: jobs: is"),
    (
        "squeue.json",
        lambda top: top.update(jobs=[], errors=[{"description": "Unable to contact slurm controller"}]),
        'squeue.json: errors: Slurm reports "Unable to contact',
    ),
    ("squeue.json", lambda top: top.pop("jobs"), "squeue.json: lacks jobs"),
    ("squeue.json", lambda top: top.pop("meta"), "squeue.json: lacks meta"),
    ("squeue.json", lambda top: top["meta"]["plugin"].update(data_parser="x/v0.0.99"), "data_parser: is"),
    ("squeue.json", lambda top: top["meta"]["slurm"].update(release="21.08.1"), "meta.slurm.release: is"),
    ("squeue.json", lambda top: top["meta"].update(plugin={}), "meta.plugin.data_parser: is"),
    (
        "squeue.json",
        lambda top: top["meta"].update(plugin={"type": "openapi/v0.0.37"}),
        'meta.plugin.type: is "openapi/v0.0.37"',
    ),
    ("nodes.json", lambda top: top.update(nodes=[]), "nodes.json: nodes: lists no node"),
    ("nodes.json", lambda top: top.pop("nodes"), "nodes.json: lacks nodes"),
    ("nodes.json", lambda top: top.update(sinfo=[top.pop("nodes")]), "nodes.json: sinfo: has no single"),
    ("nodes.json", lambda top: top["nodes"][1].update(name="n1"), "nodes[1].name: is n1, as that"),
    ("nodes.json", lambda top: top["nodes"][1].update(name="n\n2"), "nodes[1].name: is"),
    ("partitions.json", lambda top: top["partitions"][0].pop("maximums"), "partitions[0]: lacks maximums"),
    ("reservations.json", lambda top: top["reservations"][0].pop("flags"), "reservations[0]: lacks flags"),
]


@pytest.mark.parametrize(("name", "change", "expected"), BROKEN)
def test_a_broken_field_is_one_line(tmp_path: Path, name: str, change: Change, expected: str) -> None:
    """The line names the file and the field."""
    contents = files(42)
    change(contents[name])
    assert expected in line(write(tmp_path, contents))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "is empty"),
        (b'{"jobs": [', "is no JSON"),
        (b"\xff\xfe\x00", "byte 2 is 0"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"jobs": ' + b"9" * 5000 + b"}", "thousands of digits"),
        (b"7", "expected an object"),
        (b"squeue: error: load_plugins: unable to find", 'begins with "squeue: error: load_plugins'),
        (b'{"errors": [{"description": "Unable to contact slurm controller"}]}', "Slurm reports"),
    ],
)
def test_a_file_that_is_no_answer_is_one_line(tmp_path: Path, data: bytes, expected: str) -> None:
    """Empty, cut off, binary, nested and hostile files."""
    write(tmp_path, files(42))
    (tmp_path / "squeue.json").write_bytes(data)
    assert expected in line(tmp_path)


@pytest.mark.proof
def test_a_packed_file_that_is_cut_off_or_unsound_is_one_line(tmp_path: Path) -> None:
    """And one that unpacks to more than is allowed is never unpacked."""
    write(tmp_path, files(42), packed=True)
    path = tmp_path / "squeue.json.xz"
    whole = path.read_bytes()
    for data, expected in (
        (whole[:-20], "cut off"),
        (b"no xz at all", "no sound xz"),
        (whole[:9], "cut off"),
    ):
        path.write_bytes(data)
        assert expected in line(tmp_path)
    path.write_bytes(lzma.compress(b" " * ((1 << 29) + 2), preset=0))
    assert "unpacks to more than" in line(tmp_path)


@pytest.mark.parametrize("name", ["config.txt", "squeue.json", "nodes.json", "partitions.json"])
def test_a_missing_file_names_its_command(tmp_path: Path, name: str) -> None:
    """What to run to get it."""
    contents = files(42)
    del contents[name]
    text = line(write(tmp_path, contents))
    assert name in text and ("scontrol" in text or "squeue" in text)


def test_a_folder_of_captures_names_the_last(tmp_path: Path) -> None:
    """Not a missing file: the folder is one level too high."""
    for name in "1795668321", "1795668381":
        write(tmp_path / name, files(42), packed=name.endswith("81"))
    assert "2 captures" in line(tmp_path) and line(tmp_path).endswith("1795668381")


def test_settings_that_cannot_be_read_name_their_line(tmp_path: Path) -> None:
    """A parameter, a duration, a missing line."""
    for before, after, expected in (
        ("bf_window=2880", "bf_window=soon", "config.txt:7: SchedulerParameters"),
        ("bf_window=2880", "bf_resolution=0", "above 0"),
        ("30 sec", "a while", "config.txt:2: KillWait"),
        ("TopologyPlugin", "Topology", "lacks TopologyPlugin"),
        ("matlab:8", "matlab:many", "Licenses"),
    ):
        contents = files(42)
        assert before in contents["config.txt"]
        contents["config.txt"] = contents["config.txt"].replace(before, after)
        assert expected in line(write(tmp_path / after.replace("/", ""), contents))


@pytest.mark.proof
@given(st.sampled_from(PARSERS), st.data())
def test_any_change_of_a_file_is_read_or_is_one_line(
    tmp_path_factory: pytest.TempPathFactory, parser: int, data: st.DataObject
) -> None:
    """A value put anywhere, or a field removed: records or a CaptureError, never another exception."""
    contents = mutated(parser, data)
    folder = write(tmp_path_factory.mktemp("cluster"), contents)
    try:
        capture = read_capture(folder)
    except CaptureError as error:
        assert "\n" not in str(error) and str(folder) in str(error)
    else:
        assert capture.nodes and all(job.id for job in capture.jobs)


@given(st.binary(max_size=40), st.integers(0, 3000), st.integers(0, 40))
def test_any_bytes_in_a_file_are_read_or_are_one_line(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, place: int, drop: int
) -> None:
    """Bytes put over a file, or cut out of it."""
    folder = write(tmp_path_factory.mktemp("cluster"), WHOLE[42])
    whole = json.dumps(WHOLE[42]["squeue.json"]).encode()
    (folder / "squeue.json").write_bytes(whole[:place] + noise + whole[place + drop :])
    try:
        read_capture(folder)
    except CaptureError as error:
        assert "\n" not in str(error)


def test_the_length_of_cycles_is_that_of_sdiag(tmp_path: Path) -> None:
    """Microseconds for an entry, of the JSON or of the text; 0 without either."""
    folder = write(tmp_path, files(42))
    assert (read_capture(folder).entry_cost, read_capture(folder).last_cycle) == (0, 0)
    text = "Main\n\tMean cycle:   7\n\nBackfilling stats\n\tMean cycle: 256526\n\tDepth Mean: 188\n"
    text += "\tLast cycle when: Wed Nov 25 22:13:51 2026 (1795644831)\n\tLast cycle: 384850\n"
    (folder / "sdiag.txt").write_text(text, encoding="utf-8")
    assert read_capture(folder).entry_cost == 256526 // 188
    assert read_capture(folder).last_cycle == 1795644831
    statistics = {"bf_cycle_mean": 193673, "bf_depth_mean": 188, "bf_when_last_cycle": 1795644113}
    (folder / "sdiag.json").write_text(json.dumps({"statistics": statistics}), encoding="utf-8")
    assert read_capture(folder).entry_cost == 193673 // 188
    assert read_capture(folder).last_cycle == 1795644113


TABLES = [
    "JOBID,PARTITION,PRIORITY\n2,batch,410\n2,long,50\n",
    "          JOBID PARTITION     USER   PRIORITY       SITE  PARTITION\n"
    "              2 batch          ada        410          0        400\n"
    "              2 long           ada         50          0         40\n",
]


@pytest.mark.parametrize("table", TABLES)
def test_priorities_in_each_partition_are_those_of_sprio(tmp_path: Path, table: str) -> None:
    """The queue of 22.05 has one of them alone; newer ones have a list, which is preferred."""
    folder = write(tmp_path / "old", files(38) | {"sprio.txt": table})
    assert read_capture(folder).jobs[1].priority_by_partition == {"batch": 410, "long": 50}
    newer = files(42)
    newer["squeue.json"]["jobs"][1]["priority_by_partition"] = [{"partition": "batch", "priority": 7}]
    folder = write(tmp_path / "new", newer | {"sprio.txt": table})
    assert read_capture(folder).jobs[1].priority_by_partition == {"batch": 7}


def test_a_broken_table_of_sprio_is_one_line(tmp_path: Path) -> None:
    """A table without these columns is none: `sprio` without priorities by factors prints a message."""
    folder = write(tmp_path / "none", files(38) | {"sprio.txt": "You are not running a supported plugin\n"})
    assert not read_capture(folder).jobs[1].priority_by_partition
    write(tmp_path, files(38) | {"sprio.txt": "JOBID,PARTITION,PRIORITY\n2,batch,high\n"})
    assert line(tmp_path) == (
        'sprio.txt:2: the row is "2,batch,high"; expected a job, a partition and a priority'
    )


LONG = (
    "          JOBID PARTITION     USER  ACCOUNT   PRIORITY       SITE        AGE      ASSOC  FAIRSHARE"
    "    JOBSIZE  PARTITION    QOSNAME        QOS        NICE                 TRES\n"
    "              2 batch          ada   (null)       3107          0         32          0       1429"
    "         47        400     narrow       1500         300        cpu=40,mem=59\n"
)
COMMAS = (
    "JOBID,PARTITION,PRIORITY,SITE,AGE,ASSOC,FAIRSHARE,JOBSIZE,PARTITION,QOS,NICE,TRES\n"
    "2,batch,3107,0,32,0,1429,47,400,1500,300,cpu=40,mem=59\n"
)


@pytest.mark.parametrize("table", [LONG, COMMAS, COMMAS.replace("cpu=40,mem=59", "")])
def test_the_points_of_each_factor_are_those_of_sprio(tmp_path: Path, table: str) -> None:
    """In `sprio -l` and in the table of a capture; the points of TRES are one number."""
    folder = write(tmp_path, files(42) | {"sprio.txt": table})
    tres = 99 if "cpu=40" in table else 0
    points = {"SITE": 0, "AGE": 32, "ASSOC": 0, "FAIRSHARE": 1429, "JOBSIZE": 47}
    points |= {"PARTITION": 400, "QOS": 1500, "NICE": 300, "TRES": tres}
    assert read_capture(folder).jobs[1].factors == {"batch": points}


@pytest.mark.parametrize("word", ["x", "1e3", "cpu="])
def test_odd_points_are_one_line(tmp_path: Path, word: str) -> None:
    """Whole numbers are expected; those of TRES with their names."""
    write(tmp_path, files(42) | {"sprio.txt": COMMAS.replace("cpu=40", word)})
    assert line(tmp_path) == f'sprio.txt:2: has the points "{word}"; expected a whole number'


@pytest.mark.parametrize("parser", PARSERS)
def test_a_partition_of_whole_nodes_says_nothing_of_the_other_ones(tmp_path: Path, parser: int) -> None:
    """The queue shows a job of both as that partition has it."""
    contents = files(parser)
    other = contents["partitions.txt"] if parser == 38 else contents["partitions.json"]["partitions"][0]
    shared = {
        "name": "long",
        "oversubscribe": {"jobs": 1, "flags": []},
        "shares": 1,
        "partition": {"state": ["UP"]},
    }
    if parser == 38:
        line_of_long = other.replace("batch", "long").replace("EXCLUSIVE", "NO")
        contents["partitions.txt"] = other + line_of_long
    else:
        maximums = {"time": other["maximums"]["time"], "nodes": other["maximums"]["nodes"]} | shared
        contents["partitions.json"]["partitions"].append(other | shared | {"maximums": maximums})
    jobs = [contents["squeue.json"]["jobs"]]
    jobs += [contents["squeue_v0.0.44.json"]["jobs"]] if parser == 45 else []
    for each in jobs:
        each[1]["partition"] = "batch,long"
    assert not read_capture(write(tmp_path / "both", contents)).jobs[1].request.exclusive
    for each in jobs:
        each[1]["partition"] = "long"
    assert read_capture(write(tmp_path / "long", contents)).jobs[1].request.exclusive


@pytest.mark.parametrize(("parser", "of_partition"), [(38, True), (42, False), (45, True)])
def test_a_job_that_wants_nodes_for_one_user_is_read(tmp_path: Path, parser: int, of_partition: bool) -> None:
    """From the older form for 26.05; not if one of its several partitions may be meant."""
    contents = files(parser)
    for name in ("squeue.json", "squeue_v0.0.44.json"):
        if name in contents and (parser < 45 or name != "squeue.json"):
            contents[name]["jobs"][1].update(shared="user" if parser == 38 else ["user"])
    assert read_capture(write(tmp_path / "one", contents)).jobs[1].request.exclusive_user
    if parser == 38:
        one = contents["partitions.txt"]
        more = one.replace("batch", "long").rstrip("\n") + " ExclusiveUser=YES\n"
        contents["partitions.txt"] = one + more.replace("ExclusiveUser=NO ", "")
    else:
        one = contents["partitions.json"]["partitions"][0]
        other = one | {"name": "long"}
        if parser == 45:
            other["partition"] = one["partition"] | {"exclusive": "USER"}
        contents["partitions.json"]["partitions"].append(other)
    contents["squeue.json"]["jobs"][1]["partition"] = "batch,long"
    both = read_capture(write(tmp_path / "both", contents))
    assert both.jobs[1].request.exclusive_user is not of_partition


@pytest.mark.parametrize("parser", [42, 45])
def test_the_lines_of_partitions_say_what_the_json_does_not(tmp_path: Path, parser: int) -> None:
    """Whether jobs need a reservation, and before v0.0.45 what befalls preempted jobs."""
    contents = files(parser)
    (batch,) = contents["partitions.json"]["partitions"]
    batch |= {"preempt_mode": ["CLUSTER_GLOBAL"]} if parser == 45 else {}
    (alone,) = read_capture(write(tmp_path / "alone", contents)).partitions
    assert (alone.preempt_mode, alone.needs_reservation) == ("" if parser == 45 else "UNKNOWN", False)
    lines = files(38)["partitions.txt"].rstrip() + " PreemptMode=REQUEUE ReqResv=YES\n"
    (both,) = read_capture(write(tmp_path / "both", contents | {"partitions.txt": lines})).partitions
    assert (both.preempt_mode, both.needs_reservation) == ("" if parser == 45 else "REQUEUE", True)
    other = lines.replace("batch", "other")
    assert read_capture(write(tmp_path / "other", contents | {"partitions.txt": other})).partitions == (
        alone,
    )


@pytest.mark.parametrize("parser", [38, 42])
def test_groups_and_nodes_that_are_not_listed(tmp_path: Path, parser: int) -> None:
    """A partition has the groups that it allows, and says whether it names a node that is in no list."""
    contents = files(parser)
    if parser == 38:
        more = contents["partitions.txt"].replace("n[1-4]", "n[1-5]").rstrip()
        contents["partitions.txt"] = more + " AllowGroups=staff,guests\n"
    else:
        changes = {"nodes": {"configured": "n[1-5]"}, "groups": {"allowed": "staff,guests"}}
        contents["partitions.json"]["partitions"][0] |= changes
    (batch,) = read_capture(write(tmp_path, contents)).partitions
    assert (batch.allowed_groups, batch.unlisted, len(batch.nodes)) == (("staff", "guests"), True, 4)


@pytest.mark.parametrize(
    ("states", "up", "last"),
    [
        (["ALLOCATED", "CLOUD", "NOT_RESPONDING", "POWERING_UP"], True, False),
        (["IDLE", "CLOUD", "POWERED_DOWN"], True, True),
        (["ALLOCATED", "POWER_DOWN"], True, False),
        (["IDLE", "POWERING_DOWN"], False, False),
        (["IDLE", "NOT_RESPONDING"], False, False),
    ],
)
def test_nodes_that_are_powered_down(tmp_path: Path, states: list[str], up: bool, last: bool) -> None:
    """One that powers up is up, one that is powered down is taken after all others."""
    contents = files(42)
    contents["nodes.json"]["nodes"][0]["state"] = states
    first, other, *_ = read_capture(write(tmp_path, contents)).nodes
    assert (first.up, first.weight > other.weight) == (up, last)


WEIGHTS = [
    ("CPU=1.0,Mem=0.5G,GRES/gpu=2,node=3K", {"cpu": 1, "mem": 0.5 / 1024, "gres/gpu": 2, "node": 3 / 1024})
]
WEIGHTS += [("Mem=0.25,license/x=1.5", {"mem": 0.25, "license/x": 1.5}), ("", {})]


@pytest.mark.parametrize("parser", [38, 42])
@pytest.mark.parametrize(("text", "weights"), WEIGHTS)
def test_what_a_partition_bills_is_read(
    tmp_path: Path, parser: int, text: str, weights: dict[str, float]
) -> None:
    """A weight is for one unit; a suffix is a number of units, and the unit of memory is a mebibyte."""
    contents = files(parser)
    if parser == 38:
        contents["partitions.txt"] = (
            contents["partitions.txt"].rstrip() + f" TRESBillingWeights={text or '(null)'}\n"
        )
    else:
        contents["partitions.json"]["partitions"][0]["tres"] = {"billing_weights": text}
    assert read_capture(write(tmp_path, contents)).partitions[0].billing == pytest.approx(weights)


@pytest.mark.parametrize("parser", [38, 42])
def test_odd_weights_are_one_line(tmp_path: Path, parser: int) -> None:
    """A weight without a number."""
    contents = files(parser)
    if parser == 38:
        contents["partitions.txt"] = contents["partitions.txt"].rstrip() + " TRESBillingWeights=CPU=x\n"
    else:
        contents["partitions.json"]["partitions"][0]["tres"] = {"billing_weights": "CPU=x"}
    write(tmp_path, contents)
    assert "expected weights such as CPU=1.0,Mem=0.25G" in line(tmp_path)


SHARES = """Association Records

ClusterName=example Account=root UserName= Partition= Priority=0 ID=1
    SharesRaw/Norm/Level/Factor=1/0.00/1/0.00
    UsageRaw/Norm/Efctv=6215.21/1.00/1.00
    ParentAccount= Lineage=/ DefAssoc=No
ClusterName=example Account=secret UserName= Partition= Priority=0 ID=3
    SharesRaw/Norm/Level/Factor=parent/0.01/101/1.00
    UsageRaw/Norm/Efctv=0.00/0.00/0.00
    ParentAccount=root(1) Lineage=/ DefAssoc=No
"""


def test_what_associations_have_used_is_read(tmp_path: Path) -> None:
    """With their shares; `parent` is none of their own. Without the line the usage is not known."""
    folder = write(tmp_path / "new", files(42) | {"assoc_mgr.txt": SHARES})
    root, secret = read_capture(folder).associations
    assert (root.shares, root.usage, root.parent) == (1, 6215.21, "")
    assert (secret.shares, secret.usage, secret.parent) == (None, 0.0, "root")
    folder = write(tmp_path / "old", files(42) | {"assoc_mgr.txt": SHARES.replace("UsageRaw", "Usage")})
    assert [each.usage for each in read_capture(folder).associations] == [None, None]


QOS = [
    ({"set": True, "infinite": False, "number": 2.5}, 2.5),
    ({"set": False, "number": 0.0}, 1.0),
    (None, 1.0),
    (3, 3.0),
]


@pytest.mark.parametrize(("value", "factor"), QOS)
def test_how_the_jobs_of_a_quality_of_service_are_charged(
    tmp_path: Path, value: object, factor: float
) -> None:
    """UsageFactor of every generation, 1 without one."""
    quality = {"name": "a", "limits": {}, "priority": number(0), "usage_factor": value}
    folder = write(tmp_path, files(42) | {"qos.json": {"meta": meta(42), "qos": [quality]}})
    assert read_capture(folder).qualities[0].usage_factor == factor
    quality["usage_factor"] = "x"
    write(tmp_path, files(42) | {"qos.json": {"meta": meta(42), "qos": [quality]}})
    assert line(tmp_path) == 'qos.json: qos[0].usage_factor: is "x"; expected a number from 0'


@pytest.mark.parametrize(
    ("word", "expected"), [("none", (True, False)), ("user", (False, True)), ("", (False, False))]
)
def test_how_a_job_of_26_05_shares_is_in_the_older_form(
    tmp_path: Path, word: str, expected: tuple[bool, bool]
) -> None:
    """Its own form leaves it out."""
    contents = files(45)
    for each in contents["squeue_v0.0.44.json"]["jobs"]:
        each["shared"] = [word] if word else []
    request = read_capture(write(tmp_path, contents)).jobs[1].request
    assert (request.exclusive, request.exclusive_user) == expected
