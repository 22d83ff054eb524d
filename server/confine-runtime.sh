#!/bin/sh
# confine-runtime.sh [--cgroup DIRECTORY]... [--wire DIRECTORY] [--show PATH]... [--hide DIRECTORY]... PROGRAM
#   [ARGUMENT]...
#
# Runs a runtime in namespaces of its own: mounts, processes, IPC, and a user without rights (Linux, util-linux 2.36).
# Its root is empty but for the system's programs and libraries and each path to show, all read-only. STATE_DIR and a
# small /tmp are writable. ACP_DATA_DIR holds nothing but STATE_DIR, and directories to hide are empty.
# With --wire it has a network of its own, of nothing but a loopback interface. The directory, with the service's sockets,
# is /wire there, and STATE_DIR is also /state. Without it the network is the machine's.
#
# Ends with a message that begins with "missing:", and runs nothing, where the system does not allow it.
set -eu
PATH=$PATH:/usr/sbin:/sbin

missing() {
  echo "missing: $1" >&2
  exit 70
}

if [ "${1-}" != --inside ]; then
  while [ "${1-}" = --cgroup ]; do
    echo 0 >"$2/cgroup.procs" || missing "cgroup $2"
    shift 2
  done
  # Resolve it before its directory is hidden. The user of the runtime may not search the path to it.
  script=$(realpath "$0")
  cd "$STATE_DIR"
  # A second step, because the owner of an interface has to be known when it is made.
  own_network=
  if [ "${1-}" = --wire ]; then own_network='unshare --net --'; fi
  if [ "$(id -u)" = 0 ]; then
    chown -Rh 65534:65534 .
    exec unshare --mount --pid --ipc --fork --kill-child -- $own_network sh "$script" --inside root "$@"
  fi
  exec unshare --user --map-root-user --mount --pid --ipc --fork --kill-child -- \
    $own_network sh "$script" --inside user "$@"
fi
as=$2
shift 2
wire=
if [ "${1-}" = --wire ]; then
  wire=$2
  shift 2
  # By sysfs, which systems that hide parts of it do not let mount; by netlink, which a unit may forbid; by ioctl.
  switch_on='my $flags = pack("a16 s x22", "lo", 9); socket(S, 2, 2, 0) && ioctl(S, 0x8914, $flags) or exit 1'
  { mount -t sysfs sysfs /sys && echo 9 >/sys/class/net/lo/flags; } 2>/dev/null || ip link set lo up 2>/dev/null ||
    perl -e "$switch_on" 2>/dev/null || missing 'network: its loopback interface cannot be switched on'
fi

# Nothing else here is of use.
root=/sys/root
mount -t tmpfs -o size=1m,mode=0755 tmpfs /sys || missing 'mounts in a namespace'
mkdir $root
mount -t tmpfs -o size=1m,mode=0755 tmpfs $root

# Keeps links.
show() {
  # It is visible through a directory above it.
  if [ -e "$root$1" ]; then return 0; fi
  if [ -L "$1" ]; then
    mkdir -p "$root$(dirname "$1")"
    cp -P "$1" "$root$1"
  elif [ -d "$1" ]; then
    mkdir -p "$root$1"
    mount --no-canonicalize --rbind "$1" "$root$1" || missing "the directory $1"
  elif [ -e "$1" ]; then
    show_file "$1"
  fi
}

# Follows links.
show_file() {
  if [ ! -e "$1" ] || [ -e "$root$1" ]; then return 0; fi
  mkdir -p "$root$(dirname "$1")"
  : >"$root$1"
  mount --bind "$1" "$root$1" || missing "the file $1"
}

for path in /usr /bin /sbin /lib /lib32 /lib64 /libx32; do show $path; done
for name in alternatives ca-certificates ca-certificates.conf crypto-policies gai.conf group host.conf hosts ld.so.cache \
  ld.so.conf ld.so.conf.d localtime mime.types nsswitch.conf passwd pki protocols resolv.conf services ssl timezone; do
  if [ -d "/etc/$name" ] && [ ! -L "/etc/$name" ]; then show "/etc/$name"; else show_file "/etc/$name"; fi
done
for name in null zero full random urandom tty; do show_file "/dev/$name"; done
ln -s /tmp $root/dev/shm
ln -s /proc/self/fd $root/dev/fd
mkdir $root/proc $root/tmp $root/.old
if [ "$wire" ]; then
  mkdir $root/state $root/wire
  mount --no-canonicalize --bind "$wire" $root/wire || missing 'network: the sockets of the service'
fi
mount -t tmpfs -o size=16m,mode=1777,nosuid,nodev tmpfs $root/tmp
# Systems that hide parts of /proc allow no new one. Then it becomes empty after the mounts.
has_proc=yes
mount -t proc proc $root/proc 2>/dev/null || has_proc=no
[ $has_proc = yes ] || mount --rbind /proc $root/proc
# Root could write the machine's settings.
for name in acpi bus fs irq sys sysrq-trigger; do
  if [ $has_proc = yes ] && [ -e $root/proc/$name ]; then mount --bind $root/proc/$name $root/proc/$name; fi
done
while [ "${1-}" = --show ]; do
  show "$2"
  shift 2
done
hide() {
  if [ -d "$root$1" ]; then mount --no-canonicalize -t tmpfs -o size=64k,mode=0755 tmpfs "$root$1"; fi
}
while [ "${1-}" = --hide ]; do
  hide "$2"
  shift 2
done
hide "$ACP_DATA_DIR"
mkdir -p "$root$STATE_DIR"

# Keep the flags of mounts: a user may not remove them.
mounts=$(cat /proc/self/mountinfo)
while read -r _ _ _ _ point options _; do
  case $point in
    $root/proc | $root/tmp | $root/dev/*) ;;
    $root/proc/*) [ $has_proc = no ] || mount --no-canonicalize -o "remount,bind,$options,ro" "$point" ;;
    $root | $root/*)
      mount --no-canonicalize -o "remount,bind,$options,ro" "$(printf '%b' "$point")" || missing "a read-only $point"
      ;;
  esac
done <<END
$mounts
END
mount --no-canonicalize --bind . "$root$STATE_DIR" || missing 'a writable STATE_DIR'
if [ "$wire" ]; then mount --no-canonicalize --bind . $root/state || missing 'a writable STATE_DIR'; fi

cd $root
pivot_root . .old || missing 'a root of its own'
umount -l /.old || missing 'a root without the former one'
cd /
if [ $has_proc = no ]; then
  umount -l /proc || missing 'a /proc without the machine’s processes'
  mount -t tmpfs -o size=4k,ro tmpfs /proc
fi
unset PWD OLDPWD
export HOME="$STATE_DIR"

# This shell is process 1, so the end of either ends everything in the namespace.
if [ "$as" = root ]; then set -- --reuid=65534 --regid=65534 --clear-groups -- "$@"; else set -- -- "$@"; fi
setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"
exit $?
