"""nginx and Caddy with the examples in docker/; only names, ports and certificates differ, and the timeouts are short."""

import os, re, ssl, subprocess, time, urllib.request

DOCKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docker")


def changed(text, *changes):
    """Returns the text with each of the changes; fails if an example no longer contains the place of a change."""
    for pattern, replacement in changes:
        text, count = re.subn(pattern, lambda _: replacement, text, flags=re.MULTILINE)
        if not count:
            raise RuntimeError(f"the example has no {pattern}")
    return text


def certify(folder):
    """Creates a key and a self-signed certificate; the browser is told to accept it."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", os.path.join(folder, "lectern.key"), "-out", os.path.join(folder, "lectern.pem")],
                   check=True, capture_output=True)


class Proxy:
    def __init__(self, name, folder, port, command):
        self.name, self.port = name, port
        self.log = open(os.path.join(folder, f"{name}.out"), "ab")
        self.process = subprocess.Popen(command, cwd=folder, stdout=self.log, stderr=self.log, env={**os.environ, "HOME": folder, "XDG_DATA_HOME": folder})
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                urllib.request.urlopen(f"https://127.0.0.1:{port}/healthz", timeout=5, context=ssl._create_unverified_context()).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"{name} did not start: see {self.log.name}")

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def nginx(folder, port, upstream, origin, seconds):
    with open(os.path.join(DOCKER, "nginx.conf")) as file:
        site = changed(
            file.read(), (r"listen 443 ", f"listen 127.0.0.1:{port} "), (r"/etc/ssl/", folder + "/"), (r"127\.0\.0\.1:8080", f"127.0.0.1:{upstream}"),
            (r"/var/log/nginx/", folder + "/nginx-"), (r"proxy_read_timeout 75s", f"proxy_read_timeout {seconds}s"),
            (r'# "https://app\.example" ', f'"{origin}" '))
    path = os.path.join(folder, "nginx.conf")
    with open(path, "w") as file:
        file.write(f"pid {folder}/nginx.pid;\nerror_log {folder}/nginx-error.log;\nevents {{}}\nhttp {{\n"
                   + "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) + site + "}\n")
    return Proxy("nginx", folder, port, ["nginx", "-p", folder, "-c", path, "-g", "daemon off;"])


def caddy(folder, port, upstream, origin, seconds):
    with open(os.path.join(DOCKER, "Caddyfile")) as file:
        site = changed(
            file.read(), (r"^\{\$LECTERN_SITE:lectern\.example\} \{", f"https://127.0.0.1:{port} {{\n\ttls {folder}/lectern.pem {folder}/lectern.key"),
            (r"^\{$", "{\n\tadmin off\n\tauto_https disable_redirects"), (r"\{\$LECTERN_UPSTREAM:127\.0\.0\.1:8080\}", f"127.0.0.1:{upstream}"),
            (r"read_timeout 75s", f"read_timeout {seconds}s"), (r"https://app\.example", origin))
    path = os.path.join(folder, "Caddyfile")
    with open(path, "w") as file:
        file.write(site)
    return Proxy("caddy", folder, port, ["caddy", "run", "--config", path, "--adapter", "caddyfile"])
