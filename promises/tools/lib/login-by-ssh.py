# What a library of SSH sees of a server, and why it does not let a user in: login-by-ssh.py <library> <host> <user> <password>
import asyncio
import socket
import sys

library, host, user, password = sys.argv[1:]


def by_paramiko():
    import paramiko

    transport = paramiko.Transport(socket.create_connection((host, 22)))
    transport.start_client()
    key = transport.get_remote_server_key()
    print(transport.remote_version, key.get_name(), key.get_bits())
    print(transport.remote_cipher, transport.local_cipher, transport.remote_mac, transport.local_mac, transport.host_key_type)
    for attempt in (lambda: transport.auth_none(user), lambda: transport.auth_password(user, password)):
        try:
            print(attempt())
        except Exception as error:
            print(type(error).__name__, error, getattr(error, "allowed_types", ""))
    transport.close()


async def by_asyncssh():
    import asyncssh

    class Client(asyncssh.SSHClient):
        def connection_made(self, connection):
            self.connection = connection

        def auth_banner_received(self, message, language):
            print("banner", message, language)

        def validate_host_public_key(self, host, address, port, key):
            print(key.get_algorithm(), key.get_comment())
            return True

        def connection_lost(self, error):
            for name in ("server_version", "send_cipher", "send_mac", "recv_cipher", "recv_mac", "recv_compression"):
                print(name, self.connection.get_extra_info(name))

    try:
        await asyncssh.create_connection(Client, host, username=user, password=password, known_hosts=([], [], []), client_keys=None)
    except Exception as error:
        print(type(error).__name__, error)


by_paramiko() if library == "paramiko" else asyncio.run(by_asyncssh())
