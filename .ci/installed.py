"""Programs of Debian that a stage needs."""

import os, shutil, subprocess


def installed(stage, programs, packages=()):
    """Whether the programs are there, or could be installed; packages that are called otherwise, or have none, are named beside."""
    missing = [program for program in programs if not shutil.which(program)]
    if not missing:
        return True
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    said = ""
    # At that run level nothing that is installed is started.
    for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", *missing, *packages]):
        try:
            done = subprocess.run(sudo + command, capture_output=True, text=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"})
            said = done.stderr.strip()[-300:]
        except OSError as error:
            said = str(error)
            break
    if any(not shutil.which(program) for program in missing):
        print(f"{stage}: skipped, because {' and '.join(missing)} cannot be installed: {said}")
        return False
    return True
