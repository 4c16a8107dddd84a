#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Whose fault something is, where it is easily somebody else's: floods of warnings, rows of which only the last patch is
# built, bisections that do not come to their end, bases that do not build, rows besides one that is left out.
. "$(dirname "$0")/lib.sh"
make_tree
command -v python3 > /dev/null || skip "python3 is not installed"

cat > "$T/tree/Makefile" <<'END'
# SPDX-License-Identifier: GPL-2.0-or-later
CC := $(CROSS_COMPILE)gcc
objs := $(O)/drivers/clock.o $(O)/drivers/door.o
.PHONY: allnoconfig demo_defconfig olddefconfig vmlinux modules strict
allnoconfig demo_defconfig olddefconfig:
	@sed 's/^config /CONFIG_/' Kconfig > $(O)/.config
vmlinux: $(O)/vmlinux
$(O)/vmlinux: $(objs)
	@echo "  LD      vmlinux"
	@$(CROSS_COMPILE)ld -r -o $@ $(objs)
	@$(CROSS_COMPILE)nm $@ > $(O)/System.map
$(O)/%.o: %.c
	@echo "  CC      $*.o"
	@mkdir -p $(@D)
	@$(CC) -Wall -c -o $@ $<
strict: $(O)/vmlinux
	@! grep -q FULL drivers/clock.c || { echo 'drivers/clock.c:1: error: No space left on device'; exit 1; }
	@! grep -q BAD drivers/clock.c || { echo 'drivers/clock.c:1: error: it is bad'; exit 1; }
ifdef M
modules:
	@for c in $(M)/*.c; do $(CC) -c -x c /dev/null -o $${c%.c}.ko; done
else
modules: vmlinux
endif
END
printf 'config A=y\nconfig B=y\n' > "$T/tree/Kconfig"
mkdir -p "$T/tree/arch/s390"
echo '/* here */' > "$T/tree/arch/s390/x.c"
git -C "$T/tree" add .
git -C "$T/tree" commit -q -m 'More of a kernel'
git -C "$T/tree" tag -f start > /dev/null

# rows LINE...: a configuration with these lines of [build], and rows besides the usual one
rows() {
	{
		printf '[bench]\n\trun = hot-add\n'
		printf '[builder "plain"]\n\tarch = powerpc\n\tcross-compile = powerpc64le-linux-gnu-\n\tconfig = demo_defconfig\n'
		printf '[builder "strict"]\n\tlike = ppc64le-lean\n\tarch = powerpc\n\ttargets = vmlinux strict\n\tconfig = demo_defconfig\n'
		printf '[builder "other"]\n\tarch = s390\n\tcross-compile = powerpc64le-linux-gnu-\n\tconfig = demo_defconfig\n'
		printf '[build]\n'
		printf '\t%s\n' "$@"
	} > "$T/rows.conf"
}
run() { # WANTED-EXIT-CODE [ARGUMENT...]
	local want=$1
	shift
	firn_run "$want" "$T/series.mbox" --tree "$T/tree" --only build --config "$T/rows.conf" "$@"
}
is() { # WANTED ROW PATCH EXPRESSION: of that row of builds[]
	local got
	got=$(python3 -c '
import json, sys
for b in json.load(open(sys.argv[1]))["builds"]:
    if b["row"] == sys.argv[2] and str(b["patch"]) == sys.argv[3]:
        print(eval(sys.argv[4], {"b": b, "len": len}))' "$T/report.json" "$2" "$3" "$4")
	[ "$got" = "$1" ] || fail "$2, patch $3, $4: \"$got\", not \"$1\""
}

echo "more new warnings than are kept are new warnings, of the patch that brings them"
for i in $(seq 2100); do echo "static int spare$i;"; done > "$T/spares"
commit drivers/door.c '1i /* A line more */' 'door: say more'
commit drivers/clock.c "\$r $T/spares" 'clock: many spares'
commit drivers/door.c '1i /* Another */' 'door: say more still'
series
rows 'rows = plain'
run 0
step build warn
has 'which of the others are new is not known'
is pass ppc64le-lean 1 'b["outcome"]'
is "warn True" ppc64le-lean 2 'b["outcome"] + " " + str(b["reason"].startswith("at least 2000 new warnings"))'
is pass ppc64le-lean 3 'b["outcome"]'
is "warn True" plain 2 'b["outcome"] + " " + str(b["reason"].startswith("at least 2000 new warnings"))'
is pass plain 3 'b["outcome"]'

echo "an option that changes somewhere in between is not said to be the last patch's"
commit Kconfig '/^config B/d' 'take B away'
commit drivers/clock.c '1i /* More */' 'clock: say more'
commit drivers/door.c '1i /* More */' 'door: say more'
series
rows 'rows = plain'
run 0
has 'ppc64le-lean, patch 1: CONFIG_B: not asked for, was y'
has 'plain, patches 1 to 3: CONFIG_B: not asked for, was y'
grep -qF '<td class="n">1-3</td>' "$T/report.html" || fail "the page names one patch"

echo "and once a bisection has built what is between, it is the patch's own, and said once"
commit Kconfig '/^config B/d' 'take B away'
commit drivers/clock.c '$a static int spare;' 'clock: a spare'
commit drivers/door.c '1i /* More */' 'door: say more'
series
rows 'rows = plain' 'each = off'
run 0
has 'ppc64le-lean, patch 1: CONFIG_B' # and of other rows what is not said yet
lacks 'plain, patches'
is 1 plain 1 'len(b["config_changes"])'
is 0 plain 3 'len(b["config_changes"])'

echo "a bisection that does not come to its end names no patch, and says why"
commit drivers/clock.c '1i /* FULL */' 'clock: fill the disk'
commit drivers/clock.c 's/FULL/BAD/' 'clock: be bad'
commit drivers/door.c '1i /* More */' 'door: say more'
series
rows 'rows = strict'
run 0
step build warn
lacks '(null)'
has '1 row of which nothing is known'
is "error the last kernel does not build, and which patch breaks it is not known" strict None \
	'b["outcome"] + " " + [p for p in b["reason"].split(": ") if p.startswith("the last")][0]'

echo "rows beside a usual one that is left out are counted"
commit arch/s390/x.c '1i /* More */' 's390: say more'
series
rows 'rows = other'
run 0
has '1 more row'
lacks 'left out'

echo "what does not build in the base is told of every row"
sed -i '1i /* BAD */' "$T/tree/drivers/clock.c"
git -C "$T/tree" commit -q -a -m 'the clock is bad'
git -C "$T/tree" tag -f start > /dev/null
commit drivers/door.c '1i /* More */' 'door: say more'
series
rows 'rows = strict'
run 0
is "error it is bad" strict 0 'b["outcome"] + " " + b["errors"][0]["text"]'
