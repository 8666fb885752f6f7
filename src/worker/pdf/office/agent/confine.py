"""Limits that an unprivileged process sets on itself and all its children.

Resource limits everywhere; on Linux also no-new-privileges, a Landlock rule set (files) and a seccomp filter (system
calls). Applies each limit that the kernel supports and returns their names.
"""
import ctypes
import errno
import os
import platform
import resource
import struct
import sys

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 22, 38
SIGKILL = 9

# Landlock: linux/landlock.h. System call numbers from 424 on are the same on every architecture.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_FILE, MAKE_SOCK = 1, 2, 4, 8, 1 << 5, 1 << 9
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
FS_RIGHTS_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
RIGHTS = {"read": EXECUTE | READ_FILE | READ_DIR, "write": ~0, "device": READ_FILE | WRITE_FILE, "socket": MAKE_SOCK | REMOVE_FILE}

# Seccomp: what a document converter never needs, as numbers on x86_64 and aarch64.
AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
DENIED = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "unshare": (272, 97), "setns": (308, 268), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142), "acct": (163, 89),
    "swapon": (167, 224), "swapoff": (168, 225), "quotactl": (179, 60), "bpf": (321, 280),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "pidfd_getfd": (438, 438), "process_madvise": (440, 440),
    "mount_setattr": (442, 442),
}
SOCKET, CLONE = (41, 198), (56, 220)
CLONE3 = 435
NEW_NAMESPACES = 0x7E020000
CLONE_THREAD = 0x00010000
AF_UNIX = 1
# Seccomp: what a process without children never needs. aarch64 has only clone.
FORKS = ((57, 58), ())
SIGNALS_TO_PROCESS, SIGNALS_TO_THREAD = ((62, 129), (234, 131), (129, 138), (297, 240)), ((200, 130), (424, 424))
PRLIMIT64, FCNTL, PRCTL, RT_SIGACTION = (302, 261), (72, 25), (157, 167), (13, 134)
F_SETSIG = 10
SIGINT, SIGTERM = 2, 15

libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def die_with_parent():
    if sys.platform == "linux":
        libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)


def limit_resources(limits):
    for name, value in limits.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        try:
            hard = resource.getrlimit(kind)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):
            pass


def limit_tasks(most):
    """Since Linux 5.14 RLIMIT_NPROC counts within the user namespace, before that everything the user runs."""
    if sys.platform != "linux":
        return
    release = tuple(int(part) for part in platform.release().split("-")[0].split(".")[:2])
    with open("/proc/self/uid_map", encoding="ascii") as file:
        # The jail's own namespace has only this user.
        is_own = file.read().split()[2:] == ["1"]
    limit_resources({"RLIMIT_NPROC": most["alone"] if is_own and release >= (5, 14) else most["shared"]})


def restrict_files(rules):
    """`rules` maps "read", "write", "device" and "socket" to lists of paths; everything else is inaccessible."""
    abi = call(CREATE_RULESET, None, 0, 1)
    handled = FS_RIGHTS_BY_ABI.get(abi, (1 << 16) - 1)
    # Network rights (ABI 4) and scopes (ABI 6): TCP, abstract sockets and signals to the outside.
    ruleset = struct.pack("=QQQ", handled, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    descriptor = call(CREATE_RULESET, ctypes.create_string_buffer(ruleset, 24), size, 0)
    for kind, paths in rules.items():
        for path in paths:
            add_path(descriptor, path, RIGHTS[kind] & handled)
    call(RESTRICT_SELF, descriptor, 0)
    os.close(descriptor)


def add_path(descriptor, path, rights):
    try:
        target = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        rights &= FILE_RIGHTS
    rule = struct.pack("=Qi", rights, target)
    call(ADD_RULE, descriptor, 1, ctypes.create_string_buffer(rule, len(rule)), 0)
    os.close(target)


def filter_program(audit, socket, clone, denied):
    load, jump_eq, jump_ge, jump_set, ret = 0x20, 0x15, 0x35, 0x45, 0x06
    allow, kill, refuse = 0x7FFF0000, 0x80000000, 0x00050000
    code = [(load, 0, 0, 4), (jump_eq, 1, 0, audit), (ret, 0, 0, kill), (load, 0, 0, 0)]
    # System calls of the x32 ABI have this bit set and would pass every comparison below.
    code += [(jump_ge, 0, 1, 0x40000000), (ret, 0, 0, kill)]
    # The flags of clone3 are behind a pointer that a filter cannot read; on ENOSYS the C library uses clone.
    code += [(jump_eq, 0, 1, CLONE3), (ret, 0, 0, refuse | errno.ENOSYS)]
    for number in denied:
        code += [(jump_eq, 0, 1, number), (ret, 0, 0, refuse | errno.EPERM)]
    code += [(jump_eq, 0, 3, socket), (load, 0, 0, 16), (jump_eq, 2, 0, AF_UNIX)]
    code += [(ret, 0, 0, refuse | errno.EACCES), (jump_eq, 1, 0, clone), (ret, 0, 0, allow)]
    code += [(load, 0, 0, 16), (jump_set, 0, 1, NEW_NAMESPACES), (ret, 0, 0, refuse | errno.EPERM)]
    code += [(ret, 0, 0, allow)]
    return b"".join(struct.pack("=HBBI", *step) for step in code), len(code)


def restrict_calls():
    machine = platform.machine()
    audit, column = AUDIT_ARCHITECTURES[machine], list(AUDIT_ARCHITECTURES).index(machine)
    denied = [numbers[column] for numbers in DENIED.values()]
    install(*filter_program(audit, SOCKET[column], CLONE[column], denied))


def stay_alone():
    """Called between fork and exec. The program that follows has threads but no children, and can neither signal nor limit
    another process. Its own CPU time is therefore all that it uses, and it cannot stop the process that watches it.
    It cannot handle SIGINT and SIGTERM, which it inherits as ignored: they are meant for the service, which finishes
    its documents first. LibreOffice would end at once.
    Returns False if the kernel has no such filter.
    """
    machine = platform.machine()
    try:
        column = list(AUDIT_ARCHITECTURES).index(machine)
        install(*alone_program(column, os.getpid()))
        return True
    except (OSError, ValueError):
        return False


def alone_program(column, pid):
    load, jump_eq, jump_set, ret = 0x20, 0x15, 0x45, 0x06
    allow, refuse = (ret, 0, 0, 0x7FFF0000), (ret, 0, 0, 0x00050000 | errno.EPERM)
    first, second = (load, 0, 0, 16), (load, 0, 0, 24)
    code = [(load, 0, 0, 0)]

    def on(numbers, *steps):
        """Appends a check of one system call. The steps end with a verdict."""
        code.extend([(jump_eq, 0, len(steps), numbers[column]), *steps])

    for number in FORKS[column]:
        code.extend([(jump_eq, 0, 1, number), refuse])
    on(CLONE, first, (jump_set, 0, 1, CLONE_THREAD), allow, refuse)
    # abort() signals its own process. The pid does not change on exec.
    for numbers in SIGNALS_TO_PROCESS:
        on(numbers, first, (jump_eq, 0, 1, pid), allow, refuse)
    for numbers in SIGNALS_TO_THREAD:
        on(numbers, refuse)
    on(FCNTL, second, (jump_eq, 0, 1, F_SETSIG), refuse, allow)
    on(PRCTL, first, (jump_eq, 0, 1, PR_SET_PDEATHSIG), refuse, allow)
    on(RT_SIGACTION, first, (jump_eq, 1, 0, SIGINT), (jump_eq, 0, 1, SIGTERM), refuse, allow)
    on(PRLIMIT64, first, (jump_eq, 1, 0, pid), (jump_eq, 0, 1, 0), allow, refuse)
    code.append(allow)
    return b"".join(struct.pack("=HBBI", *step) for step in code), len(code)


def install(program, length):
    steps = ctypes.create_string_buffer(program, len(program))
    header = ctypes.create_string_buffer(struct.pack("@HP", length, ctypes.addressof(steps)))
    if libc.prctl(PR_SET_SECCOMP, 2, header, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")


def confine(limits, rules):
    limit_resources(limits)
    in_force = ["limits"]
    if sys.platform != "linux" or libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return in_force
    in_force.append("no-new-privileges")
    for name, step in (("landlock", lambda: restrict_files(rules)), ("seccomp", restrict_calls)):
        try:
            step()
            in_force.append(name)
        except (OSError, KeyError):
            continue
    return in_force
