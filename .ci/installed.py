"""Installs the programs from Debian that a stage needs."""

import fcntl, importlib.util, os, shutil, subprocess, sys, tempfile

# The programs that all stages need.
ALL = ["chromium", "nginx", "caddy", "openssl", "curl", "buildah", "debootstrap"]


def installed(stage, programs, packages=()):
    """Returns whether the programs exist or could be installed. `packages` names packages with another name than their program, or without one."""
    # Stages run in parallel, and only one may install at a time.
    with open(os.path.join(tempfile.gettempdir(), "lectern-ci-packages.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        missing = [program for program in programs if not shutil.which(program)]
        return not missing and not packages or install(stage, missing, packages)


def install(stage, missing, packages):
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    said = ""
    # At that run level, installed services are not started.
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


if __name__ == "__main__":
    venv = ["python3-venv"] if not importlib.util.find_spec("ensurepip") else []
    sys.exit(0 if installed("programs", ALL, venv) else 1)
