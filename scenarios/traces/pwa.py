"""The logs of the Parallel Workloads Archive that the papers use, and others: where they lie, and their sums.

A sum is the sha256 of the unpacked text, known for the logs that we have simulated.
"""

from collections.abc import Mapping
from types import MappingProxyType

import attrs


@attrs.frozen
class ArchiveLog:
    """A log: its folder in the archive, its machine, and the sum of its text where it is known."""

    folder: str
    machine: str
    sha256: str | None = None

    def path(self, name: str) -> str:
        """Where it lies below the archive's address."""
        return f"{self.folder}/{name}.swf.gz"


LOGS: Mapping[str, ArchiveLog] = MappingProxyType(
    {
        "ANL-Intrepid-2009-1": ArchiveLog("l_anl_int", "Blue Gene/P, Argonne, 163,840 processors"),
        "CEA-Curie-2011-2.1-cln": ArchiveLog(
            "l_cea_curie",
            "Linux cluster, CEA, 93,312 processors",
            "b732a04aea71e2f154c8feee580be549d0bba1462bc91ec581944cb3dd6d442d",
        ),
        "CTC-SP2-1996-3.1-cln": ArchiveLog("l_ctc_sp2", "IBM SP2, Cornell, 338 batch nodes"),
        "HPC2N-2002-2.2-cln": ArchiveLog("l_hpc2n", "Linux cluster, Umea, 240 processors"),
        "KTH-SP2-1996-2": ArchiveLog(
            "l_kth_sp2",
            "IBM SP2, Stockholm, 100 nodes, with all jobs",
            "df76b94e5f670db52179688a98deec3e1887d10adb39f96c900b8e92abb386ab",
        ),
        "KTH-SP2-1996-2.1-cln": ArchiveLog(
            "l_kth_sp2",
            "IBM SP2, Stockholm, 100 nodes",
            "fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87",
        ),
        "LANL-CM5-1994-4.1-cln": ArchiveLog(
            "l_lanl_cm5",
            "Connection Machine, Los Alamos, 1,024 nodes",
            "4766a62dabcc7403ec0a55534aff297203e692ddbf6637bd40100a3800f6354a",
        ),
        "LLNL-Atlas-2006-2.1-cln": ArchiveLog(
            "l_llnl_atlas",
            "Linux cluster, Livermore, 9,216 processors",
            "8b3aaab739fa0bda8abaccc37c207d0b19d9d147b19e7f47a1641133a56fd07f",
        ),
        "LLNL-T3D-1996-2": ArchiveLog("l_llnl_t3d", "Cray T3D, Livermore, 256 processors"),
        "NASA-iPSC-1993-3": ArchiveLog(
            "l_nasa_ipsc",
            "iPSC/860, NASA Ames, 128 nodes, with all jobs",
            "ee1ca07a24f51723af6ca0d1ac30f3cd38bfda98b460f460cc2c0bc42f083139",
        ),
        "NASA-iPSC-1993-3.1-cln": ArchiveLog(
            "l_nasa_ipsc",
            "iPSC/860, NASA Ames, 128 nodes",
            "9d997a2c20a7f7b0b6d81638d756ce8b2c524c4f2e9ec78da36001743ca33d76",
        ),
        "OSC-Clust-2000-3.1-cln": ArchiveLog("l_osc", "Linux cluster, Ohio, 178 processors"),
        "RICC-2010-2": ArchiveLog(
            "l_ricc",
            "Linux cluster, RIKEN, 8,192 processors",
            "986a2a12df85adc3c2a2eb80a31b4ff9a056b92637526ee53fb70637b1bf0518",
        ),
        "SDSC-BLUE-2000-4.2-cln": ArchiveLog("l_sdsc_blue", "IBM SP, San Diego, 1,152 processors"),
        "SDSC-Par-1995-3.1-cln": ArchiveLog("l_sdsc_par", "Paragon, San Diego, 416 nodes"),
        "SDSC-SP2-1998-4.2-cln": ArchiveLog(
            "l_sdsc_sp2",
            "IBM SP2, San Diego, 128 nodes",
            "2bb635f4b5793f52bd49ccb8fd913d95f9c5be6346925162cadcaf0117e28cf2",
        ),
        "UniLu-Gaia-2014-1": ArchiveLog(
            "l_unilu_gaia",
            "Linux cluster, Luxembourg, 2,004 processors",
            "e4587af1ae104f023b49b7f6adcd1c5c1d3be42551848f71962dd2c1d49a78c0",
        ),
    }
)
"""Name -> what is known of it, by name. Addresses follow the archive's own scheme; they can change there."""
