#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The build step on a tiny tree: rows, every patch, new warnings, options, sizes, bases that do not build.
. "$(dirname "$0")/lib.sh"
make_tree

# A second Makefile's worth of a kernel: its configuration comes out of its Kconfig, its objects can be asked for alone.
cat > "$T/tree/Makefile" <<'END'
# SPDX-License-Identifier: GPL-2.0-or-later
CC := $(CROSS_COMPILE)gcc
LD := $(CROSS_COMPILE)ld
objs := $(O)/drivers/clock.o $(O)/drivers/door.o
.PHONY: allnoconfig demo_defconfig olddefconfig vmlinux modules strict drivers/clock.o drivers/door.o
allnoconfig demo_defconfig olddefconfig:
	@sed 's/^config /CONFIG_/' Kconfig > $(O)/.config
# As the kernel's own: without the option there is no such target.
modules_on := $(shell grep -s CONFIG_MODULES=y $(O)/.config)
kos := $(addprefix $(O)/,$(addsuffix .ko,$(shell cat drivers/modules 2>/dev/null)))
vmlinux: $(O)/vmlinux
$(O)/vmlinux: $(objs)
	@echo "  LD      vmlinux"
	@$(LD) -r -o $@ $(objs)
	@$(CROSS_COMPILE)nm $@ > $(O)/System.map
drivers/clock.o drivers/door.o: %.o: $(O)/%.o
$(O)/%.o: %.c $(wildcard include/linux/*.h)
	@echo "  CC      $*.o"
	@mkdir -p $(@D)
	@$(CC) -Wall $(if $(W),-Wextra) -Iinclude -c -o $@ $<
$(O)/%.ko: $(O)/%.o
	@cp $< $@
strict:
	@! grep -q BAD drivers/clock.c || { echo 'drivers/clock.c:1: error: it is bad'; exit 1; }
ifeq ($(modules_on),)
modules:
	@echo 'The present kernel configuration has modules disabled.'; exit 1
else ifdef M
modules:
	@for c in $(M)/*.c; do $(CC) -c -x c /dev/null -o $${c%.c}.ko; done
else
modules: vmlinux $(kos)
	@printf '%s\n' $(patsubst $(O)/%,%,$(kos)) > $(O)/modules.order
endif
END
printf 'config A=y\nconfig B=y\nconfig MODULES=y\n' > "$T/tree/Kconfig"
mkdir -p "$T/tree/Documentation" "$T/tree/include/linux"
echo 'extern int door_hinges;' > "$T/tree/include/linux/hinge.h"
echo '/* Nothing. */' > "$T/tree/include/linux/nobody.h"
sed -i '1i #include <linux/hinge.h>' "$T/tree/drivers/door.c"
echo 'The door.' > "$T/tree/Documentation/door.rst"
git -C "$T/tree" add .
git -C "$T/tree" commit -q -m 'More of a kernel'
git -C "$T/tree" tag -f start > /dev/null

# rows [LINE...]: a configuration with more rows, and lines more of [build]
rows() {
	{
		printf '[bench]\n\trun = hot-add\n[builder "extra"]\n\tlike = ppc64le-w1\n\tconfig = demo_defconfig\n\tfragments = net.config\n'
		printf '[builder "plain"]\n\tarch = powerpc\n\tcross-compile = powerpc64le-linux-gnu-\n\tconfig = pseries-lean.config\n[builder "absent"]\n\tlike = ppc64le-w1\n\tcompiler = gcc-none\n\tpackages = gcc-none-package\n'
		printf '[build]\n'
		printf '\t%s\n' "$@"
	} > "$T/rows.conf"
}
run() { # WANTED-EXIT-CODE [ARGUMENT...]
	local want=$1
	shift
	firn_run "$want" "$T/series.mbox" --tree "$T/tree" --only build --config "$T/rows.conf" "$@"
}
# build ROW PATCH MEMBER: of the row of builds[]
build() { python3 -c '
import json, sys
for b in json.load(open(sys.argv[1]))["builds"]:
    if b["row"] == sys.argv[2] and str(b["patch"]) == sys.argv[3]:
        print(eval(sys.argv[4], {"b": b, "len": len}))' "$T/report.json" "$1" "$2" "$3"; }
is() { # WANTED ROW PATCH EXPRESSION
	local got
	got=$(build "$2" "$3" "$4")
	[ "$got" = "$1" ] || fail "$2, patch $3, $4: \"$got\", not \"$1\""
}
command -v python3 > /dev/null || skip "python3 is not installed"

echo "a new warning is a warning, with the patch that brings it and the one that mends it"
rows 'rows = extra,plain,absent'
commit drivers/clock.c '$a static int spare;' 'clock: a spare'
commit drivers/door.c '1i /* A line more */' 'door: say more'
commit drivers/door.c '$a static int knock(void) { return 0; }' 'door: knock'
commit drivers/clock.c '/static int spare/d' 'clock: no spare'
series
run 0
step build warn
has '2 new warnings'
has "'knock' defined but not used"
has 'patch 3/4'
has '(mended by patch 4)'
is warn ppc64le-lean 1 'b["outcome"]'
is "drivers/clock.c -Wunused-variable 4" ppc64le-lean 1 '"%(path)s %(option)s %(mended)s" % b["new_warnings"][0]'
is 0 ppc64le-lean 2 'len(b["new_warnings"])'
is "knock None" ppc64le-lean 3 'b["new_warnings"][0]["text"].split("\x27")[1] + " " + str(b["new_warnings"][0]["mended"])'
is pass ppc64le-lean 4 'b["outcome"]'

echo "other rows: every patch where that is cheap, else the last; what is not installed is named"
is 1 extra 1 'len(b["new_warnings"])'
is "" plain 1 'b["outcome"]'
is warn plain 3 'b["outcome"]'
is "" plain 4 '"".join(w["text"] for w in b["new_warnings"])'
is skip absent None 'b["outcome"]'
is True absent None '"apt-get install gcc-none-package" in b["reason"]'
has 'Builds:'
grep -q 'id="builds"' "$T/report.html" || fail "not in the page"

echo "the same from the cache says the same"
run 0
is 1 ppc64le-lean 1 'len(b["new_warnings"])'
is True ppc64le-lean 3 'b["cached"]'
has '(mended by patch 4)'

echo "the commands of the report repeat it without firn, in another folder"
# b4 stands for the list: it gives the first patches of the posting that is asked for
mkdir -p "$T/bin" "$T/mails"
git mailsplit -o"$T/mails" "$T/series.mbox" > /dev/null
rm "$T/mails/0001" # the cover letter
cat > "$T/bin/b4" <<'END'
#!/bin/sh
# b4 am -o- [-P1-N] MESSAGE-ID
[ "$1 $2" = 'am -o-' ] || exit 64
last=4 id=$3
case $3 in -P1-*) last=${3#-P1-} id=$4 ;; esac
grep -qF "<$id>" "$POSTING" || exit 1
for n in $(seq "$last"); do cat "$MAILS/000$((n + 1))"; done
END
chmod +x "$T/bin/b4"
repeat() { # PATCH
	rm -rf "$T/by-hand"
	git clone -q "$T/tree" "$T/by-hand/tree"
	build ppc64le-lean "$1" '"\n".join(b["commands"])' > "$T/commands"
	(cd "$T/by-hand/tree" && PATH=$T/bin:$PATH POSTING=$T/series.mbox MAILS=$T/mails bash -e "$T/commands") > "$T/by-hand/log" 2>&1 ||
		fail "patch $1 by hand: $(tail -3 "$T/by-hand/log")"
	[ "$(git -C "$T/by-hand/tree" rev-list --count start..HEAD)" = "$1" ] || fail "not $1 patches"
	tree=$(git -C "$T/by-hand/tree" rev-parse 'HEAD^{tree}')
	kernel=$(grep -l "\"tree\": \"$tree\"" "$XDG_CACHE_HOME"/firn/kernels/*/build.json | xargs grep -l '"builder": "ppc64le-lean"' | sed -n 1p)
	cmp "${kernel%build.json}vmlinux" "$T/by-hand/build/vmlinux" || fail "patch $1 by hand is another kernel"
}
for patch in 0 1 3 4; do repeat "$patch"; done

echo "every row every patch, or none"
rows 'rows = plain' 'each = all'
run 0
is pass plain 2 'b["outcome"]'
rows 'each = off'
run 0
is pass ppc64le-lean 2 'b["outcome"]' # built to find out whose the warning is
is warn ppc64le-lean 3 'b["outcome"]'

echo "an old warning that moves is none"
sed -i '$a static int old;' "$T/tree/drivers/clock.c"
git -C "$T/tree" commit -q -a -m 'an old warning'
git -C "$T/tree" tag -f start > /dev/null
commit drivers/clock.c '1i /* One */\n/* Two */' 'clock: say more'
commit drivers/clock.c 's/static int old;/static int  old;/' 'clock: a blank'
series
rows 'rows = extra'
run 0
step build pass

echo "an option that turns off is told, and a kernel that grows"
commit Kconfig '/^config B/d' 'take B away'
commit drivers/clock.c '$a char much[100000];' 'clock: have much'
series
rows
run 0
step build pass
has 'CONFIG_B: not asked for, was y'
has 'vmlinux is +10000'
is off ppc64le-lean 1 'b["config_changes"][0]["word"]'
is 0 ppc64le-lean 2 'len(b["config_changes"])'
is "much 100000 True" ppc64le-lean 2 '"%(name)s %(patched)s" % b["sizes"]["symbols"][0] + " " + str(b["sizes"]["over"])'

echo "modules are compared, too, and a series may turn them off and on"
printf 'drivers/clock\ndrivers/door\n' > "$T/tree/drivers/modules"
git -C "$T/tree" add .
git -C "$T/tree" commit -q -m 'modules'
git -C "$T/tree" tag -f start > /dev/null
commit drivers/clock.c '$a char clock_much[70000];' 'clock: have much'
commit drivers/modules '/door/d' 'the door is no module'
series
rows
run 0
step build pass
has 'ppc64le-lean: modules are +'
has 'drivers/clock.ko +7000'
is "drivers/clock.ko clock_much 70000 True" ppc64le-lean 2 '"%(name)s " % b["module_sizes"]["modules"][0] + "%(name)s %(patched)s" % b["module_sizes"]["modules"][0]["symbols"][0] + " " + str(b["module_sizes"]["over"])'
is "1 0 0 1 2" ppc64le-lean 2 '"%(grown)s %(shrunk)s %(added)s %(removed)s " % b["module_sizes"] + str(len(b["module_sizes"]["modules"]))'
grep -q 'Modules of ppc64le-lean' "$T/report.html" || fail "modules are not in the page"
# kernels from before they were compared
rm "$XDG_CACHE_HOME"/firn/kernels/*/module-sizes
run 0
is None ppc64le-lean 2 'b["module_sizes"]'
is True ppc64le-lean 2 'b["sizes"]["over"]'
commit Kconfig '/MODULES/d' 'no modules'
commit Kconfig '$a config MODULES=y' 'modules again'
series
run 0
step build pass
has 'CONFIG_MODULES: not asked for, was y'
is "vmlinux" ppc64le-lean 1 'b["commands"][-1].split("powerpc64le-linux-gnu- ")[1]'
is "vmlinux modules" ppc64le-lean 2 'b["commands"][-1].split("powerpc64le-linux-gnu- ")[1]'
git -C "$T/tree" reset -q --hard start~
git -C "$T/tree" tag -f start > /dev/null
sed -i '/MODULES/d' "$T/tree/Kconfig"
git -C "$T/tree" commit -q -am 'no modules'
git -C "$T/tree" tag -f start > /dev/null
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
series
run 0
step build pass
git -C "$T/tree" reset -q --hard start~
git -C "$T/tree" tag -f start > /dev/null

echo "a header has no object: some that include it are made, and that is told"
commit include/linux/hinge.h '$a static int squeak;' 'hinge: squeak'
commit include/linux/nobody.h '$a static int never;' 'nobody: nothing'
series
rows 'rows = extra'
run 0
step build warn
has "'squeak' defined but not used"
has 'for include/linux/hinge.h: drivers/door.o'
has 'for include/linux/nobody.h: no source was found that includes it'
is "warn" extra 1 'b["outcome"]'
is "drivers/door.o" extra 0 'b["headers"][0]["objects"][0]'
is "-k drivers/door.o" extra 2 'b["commands"][-1].split(" W=1 ")[1]'
commit include/linux/nobody.h '$a static int never;' 'nobody: nothing'
series
run 0
step build pass
is skip extra None 'b["outcome"]'
is True extra None '"no source was found that includes include/linux/nobody.h" in b["reason"]'

echo "a row that fails is a fail, and what boots is booted even so"
commit drivers/clock.c '1i /* BAD */' 'clock: bad in one way'
commit drivers/door.c '1i /* More */' 'door: say more'
series
replay
rows 'rows = strict'
printf '[builder "strict"]\n\tlike = ppc64le-lean\n\tarch = powerpc\n\ttargets = vmlinux strict\n\tconfig = demo_defconfig\n' >> "$T/rows.conf"
firn_run 1 "$T/series.mbox" --tree "$T/tree" --only boot --config "$T/rows.conf"
step build fail
has 'strict: patch 1/2 does not build: drivers/clock.c:1: error: it is bad'
step boot pass
has 'The build that fails, without firn:'
has 'make O=../build'

echo "an object that only W=1 is made of, and that the base can't make either, is nobody's fault"
sed -i '$a int bad = ;' "$T/tree/drivers/door.c"
sed -i 's|^objs := .*|objs := $(O)/drivers/clock.o|' "$T/tree/Makefile"
git -C "$T/tree" commit -q -a -m 'the door is broken'
git -C "$T/tree" tag -f start > /dev/null
commit drivers/door.c '1i /* More */' 'door: say more'
commit drivers/clock.c '$a int bad = ;' 'clock: bad'
series
rows 'rows = extra'
run 1
is "pass" extra 1 'b["outcome"]'
is "fail drivers/clock.c" extra 2 'b["outcome"] + " " + b["reason"].split(":")[0]'
git -C "$T/tree" reset -q --hard start~
git -C "$T/tree" tag -f start > /dev/null

echo "nothing but documentation is not built, and that is said"
commit Documentation/door.rst 's/door/large door/' 'door: describe it'
series
rows
firn_run 0 "$T/series.mbox" --tree "$T/tree"
step build skip
has 'nothing to build: it touches nothing but documentation'
step boot skip

echo "a base that does not build is its own fault, said once, and the last good one is used where that is allowed"
commit drivers/clock.c 's/Counts ticks/Counts the ticks/' 'clock: reword a comment'
series
sed -i 's/int door_open/int door_open(/' "$T/tree/drivers/door.c"
git -C "$T/tree" commit -q -am 'break it'
run 2 --base HEAD
has 'the base does not build'
is error ppc64le-lean 0 'b["outcome"]'
is False ppc64le-lean 0 'b["cached"]'
run 2 --base HEAD
is True ppc64le-lean 0 'b["cached"]'
rows 'last-good = true'
run 0 --base HEAD
step build pass
has 'which was chosen, does not build'
grep -q "\"commit\": \"$(git -C "$T/tree" rev-parse start)\"" "$T/report.json" || fail "not the last good one"

echo "rows that are wrong are a mistake of the configuration"
rows 'rows = no-such-row'
firn_run 2 "$T/series.mbox" --tree "$T/tree" --only build --config "$T/rows.conf"
has 'no builder "no-such-row"'
