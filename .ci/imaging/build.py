"""The build of the image by buildah, from Debian's packages and this machine's Swift."""

import json, os, shutil, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
# The files that Debian's slim images omit, and those that only the build needs.
SLIM = ["usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/info", "usr/share/lintian", "var/cache/apt", "var/lib/apt/lists", "var/log"]
# The libraries that the toolchain needs, and those that it links programs with.
OF_SWIFT = "binutils ca-certificates git libc6-dev libcurl4 libgcc-12-dev libncurses6 libsqlite3-0 libstdc++-12-dev libuuid1 libxml2 pkg-config zlib1g-dev"


class Builder:
    def __init__(self, folder, say):
        self.folder, self.say = folder, say
        self.log = os.path.join(folder, "build.log")

    def run(self, *command, **more):
        with open(self.log, "ab") as log:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=log, text=True, **more)
        if done.returncode:
            with open(self.log) as log:
                raise RuntimeError(f"{' '.join(command)[:200]} ended with {done.returncode}:\n{(done.stdout + log.read())[-2000:]}")
        return done.stdout

    def buildah(self, *command):
        return self.run("buildah", "--root", os.path.join(self.folder, "store"), "--runroot", os.path.join(self.folder, "run"), "--storage-driver", "vfs", *command)

    def base(self):
        """Builds a slim Debian."""
        base = os.path.join(self.folder, "base")
        self.run("debootstrap", "--variant=minbase", "bookworm", base, MIRROR)
        for path in SLIM:
            shutil.rmtree(os.path.join(base, path), ignore_errors=True)
        os.makedirs(os.path.join(base, "var/log"), exist_ok=True)
        self.run("tar", "-C", base, "--exclude=./dev/*", "--exclude=./proc/*", "-cf", os.path.join(self.folder, "base.tar"), ".")
        shutil.rmtree(base)
        self.from_text("lectern-ci-base", "FROM scratch\nADD base.tar /\nCMD [\"/bin/sh\"]\n")
        self.say("a base by debootstrap")

    def builder(self):
        """Builds the base with the packages that Swift needs."""
        self.from_text("lectern-ci-builder", f"FROM localhost/lectern-ci-base\nRUN apt-get update && apt-get install -y --no-install-recommends {OF_SWIFT}\nENV PATH={self.toolchain()}/bin:/usr/sbin:/usr/bin:/sbin:/bin\n")
        self.say("a builder with this machine's Swift")

    @staticmethod
    def toolchain():
        return os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("swift"))))

    def from_text(self, name, text):
        path = os.path.join(self.folder, name + ".Dockerfile")
        with open(path, "w") as file:
            file.write(text)
        self.buildah("bud", "--isolation", "chroot", "--format", "docker", "-f", path, "-t", name, self.folder)

    def image_of(self, binary):
        """Builds the last stage of docker/Dockerfile, with a binary that was built with the flags of its first stage."""
        source = os.path.join(self.folder, "source")
        shutil.rmtree(source, ignore_errors=True)
        os.mkdir(source)
        with open(os.path.join(ROOT, "docker", "Dockerfile")) as file:
            lines = file.read().splitlines()
        last = lines.index("FROM ${RUNTIME}")
        arguments = [line for line in lines[:last] if line.startswith("ARG RUNTIME=")]
        stage = [line.replace("COPY --from=build /lectern ", "COPY lectern ") for line in lines[last:]]
        if any("--from=" in line for line in stage):
            raise RuntimeError("docker/Dockerfile copies more from its first stage than the binary")
        with open(os.path.join(source, "Dockerfile"), "w") as file:
            file.write("\n".join(arguments + stage) + "\n")
        shutil.copy(os.path.join(ROOT, "LICENSE"), source)
        self.run("strip", "-o", os.path.join(source, "lectern"), binary)
        self.buildah("bud", "--isolation", "chroot", "--format", "docker", "--build-arg", "RUNTIME=localhost/lectern-ci-base", "-t", "lectern-ci", source)
        shutil.rmtree(source)
        self.say("the image of docker/Dockerfile, with the binary that is built already")
        return self.config()

    def image(self):
        """Builds docker/Dockerfile from the files in git and their changes."""
        source = os.path.join(self.folder, "source")
        shutil.rmtree(source, ignore_errors=True)
        os.mkdir(source)
        files = self.run("git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        there = "\0".join(name for name in files.split("\0") if name and os.path.exists(os.path.join(ROOT, name)))
        self.run("sh", "-c", 'tar -C "$0" --null -T - -cf - | tar -C "$1" -xf -', ROOT, source, input=there)
        toolchain = self.toolchain()
        self.buildah("bud", "--isolation", "chroot", "--format", "docker", "--volume", f"{toolchain}:{toolchain}:ro",
                     "--build-arg", "BUILDER=localhost/lectern-ci-builder", "--build-arg", "RUNTIME=localhost/lectern-ci-base",
                     "-f", os.path.join(source, "docker", "Dockerfile"), "-t", "lectern-ci", source)
        shutil.rmtree(source)
        self.say("the image of docker/Dockerfile, its first stage included")
        return self.config()

    def config(self):
        return json.loads(self.buildah("inspect", "--type", "image", "lectern-ci"))["Docker"]["config"]

    def root(self):
        """Returns the directory of the image's files."""
        container = self.buildah("from", "localhost/lectern-ci").strip()
        return self.buildah("mount", container).strip()
