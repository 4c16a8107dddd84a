# SPDX-License-Identifier: GPL-2.0-or-later
# In the machine: words for the host, by the second serial line.
say() { printf '%4d s in the machine  %s\n' "$(cut -d. -f1 /proc/uptime)" "$*" | tee /dev/ttyS1; }
fail() { printf 'FAIL: %s\n' "$*" | tee /dev/ttyS1; exit 1; }
