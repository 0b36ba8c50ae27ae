"""The test of a service whose disk is full: alive, but not ready."""

import os, subprocess, time

from streams.server import Server

from .way import Way


def story(binary, folder, say):
    disk = os.path.join(folder, "disk")
    os.mkdir(disk)
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if subprocess.run(sudo + ["mount", "-t", "tmpfs", "-o", f"size=48m,mode=0700,uid={os.getuid()}", "lectern", disk], capture_output=True).returncode:
        say("the full disk is skipped, because nothing can be mounted here")
        return
    server = Server(binary, disk, 100_000, ["--ready-min-disk-mib", "4"])
    try:
        server.start()
        way = Way("direct", f"http://127.0.0.1:{server.port}", server.token("disk"))
        book = way.made("/v1/books", {"title": "Kindred"})["id"]
        until(way, "/readyz", 200)
        filler = os.path.join(disk, "filler")
        begin = time.monotonic()
        with open(filler, "wb", buffering=0) as file:
            # Write until the service refuses: then the disk is full, and the service knows.
            while time.monotonic() - begin < 60:
                try:
                    while file.write(b"\1" * 4096):
                        pass
                except OSError:
                    pass
                if way.send("POST", "/v1/notes", {"book": book, "position": {"progress": 0.1}, "body": "x" * 9999}).status == 507:
                    break
        if way.send("POST", "/v1/books", {"title": "Dawn"}).status != 507:
            raise AssertionError("a full disk takes writes")
        until(way, "/readyz", 503)
        for path in ("/healthz", f"/v1/books/{book}"):
            if way.send("GET", path).status != 200:
                raise AssertionError(f"on a full disk {path} is not answered")
        if subprocess.run([binary, "health", "--data", server.data], capture_output=True).returncode:
            raise AssertionError("on a full disk the service is not alive")
        os.unlink(filler)
        until(way, "/readyz", 200)
        way.made("/v1/books", {"title": "Dawn"})
        say("a full disk: 507 to writes, /readyz 503, /healthz 200, and all is well once there is room")
    finally:
        server.close()
        subprocess.run(sudo + ["umount", "-l", disk])


def until(way, path, status, seconds=30):
    begin = time.monotonic()
    while (answer := way.send("GET", path)).status != status:
        if time.monotonic() - begin > seconds:
            raise AssertionError(f"{path} is {answer.status}, not {status}, for {seconds} s: {answer.body[:500]}")
        time.sleep(0.2)
