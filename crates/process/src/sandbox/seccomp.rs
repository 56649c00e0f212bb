//! What a program in a sandbox may not ask of the kernel: whatever is not divided by namespaces, and what is so new or so
//! seldom used that holes are found in it. Everything else is allowed; real software asks for a lot.

use std::collections::BTreeMap;
use std::env::consts::ARCH;
use std::sync::LazyLock;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};

/// Refused whatever the arguments: keys and clocks of the host, its modules, devices and disks, mounts and namespaces,
/// and the kernel's own ways to run programs.
const REFUSED: [i64; 43] = [
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_settimeofday,
    libc::SYS_acct,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_quotactl,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_pivot_root,
    libc::SYS_umount2,
    libc::SYS_chroot,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_lookup_dcookie,
    libc::SYS_bpf,
    libc::SYS_fanotify_init,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_nfsservctl,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
];

/// The kinds of sockets there are. The others are not divided by the network's namespace (as `AF_VSOCK`, which leads to
/// whoever runs a virtual machine), or are doors into the kernel that nobody here needs.
const FAMILIES: [i32; 4] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// The filters, each as the kernel reads it; nothing on processors that they cannot be made for.
pub(super) fn filters() -> &'static [Vec<u8>] {
    static FILTERS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| made().unwrap_or_default());
    &FILTERS
}

fn made() -> Option<Vec<Vec<u8>>> {
    let refused = REFUSED.map(|call| (call, Vec::new())).into();
    let strange = BTreeMap::from([(libc::SYS_socket, vec![strange_family()?])]);
    let calls = program(refused, libc::EPERM)?;
    let sockets = program(strange, libc::EAFNOSUPPORT)?;
    Some([old_numbers(), calls, sockets].iter().map(|program| bytes_of(program)).collect())
}

fn strange_family() -> Option<SeccompRule> {
    let is_none_of =
        FAMILIES.map(|family| SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family as u64));
    SeccompRule::new(is_none_of.into_iter().collect::<Result<_, _>>().ok()?).ok()
}

fn program(rules: BTreeMap<i64, Vec<SeccompRule>>, errno: i32) -> Option<BpfProgram> {
    let refuse = SeccompAction::Errno(errno.cast_unsigned());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, ARCH.try_into().ok()?).ok()?;
    filter.try_into().ok()
}

/// Some kernels know the same calls under other numbers, those of the x32 programs. They are refused on all.
fn old_numbers() -> BpfProgram {
    const X32: u32 = 0x4000_0000;
    let load_number = sock_filter { code: 0x20, jt: 0, jf: 0, k: 0 };
    let is_x32 = sock_filter { code: 0x35, jt: 0, jf: 1, k: X32 };
    let refuse = sock_filter { code: 0x06, jt: 0, jf: 0, k: libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned() };
    let allow = sock_filter { code: 0x06, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW };
    if ARCH == "x86_64" { vec![load_number, is_x32, refuse, allow] } else { vec![allow] }
}

fn bytes_of(program: &[sock_filter]) -> Vec<u8> {
    let one = |line: &sock_filter| {
        let [code_low, code_high] = line.code.to_ne_bytes();
        let [a, b, c, d] = line.k.to_ne_bytes();
        [code_low, code_high, line.jt, line.jf, a, b, c, d]
    };
    program.iter().flat_map(one).collect()
}
