/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of a guest's console that the tests of hot-add put together. */
#ifndef FIRN_TESTS_HOT_ADD_CONSOLE_H
#define FIRN_TESTS_HOT_ADD_CONSOLE_H

#define HP	  "] pseries-hotplug-mem: "
#define ATTEMPT	  "[    0.150000" HP "Attempting to hot-add 2 LMB(s) at index 80000004\n"
#define ADDED_1	  "[    0.180000" HP "Memory at 40000000 (drc index 80000004) was hot-added\n"
#define ADDED(us) "[    0." us HP "Memory at 50000000 (drc index 80000005) was hot-added\n"
#define AGAIN	  "[    1.150000" HP "Attempting to hot-add 2 LMB(s) at index 80000006\n"
#define AGAIN_1	  "[    1.180000" HP "Memory at 60000000 (drc index 80000006) was hot-added\n"
#define AGAIN_2	  "[    1.190000" HP "Memory at 70000000 (drc index 80000007) was hot-added\n"
#define REMOVE	  "[    2.150000" HP "Attempting to hot-remove 2 LMB(s) at 80000006\n"
#define REMOVED_1 "[    2.180000" HP "Memory at 60000000 (drc index 80000006) was hot-removed\n"
#define REMOVED_2 "[    2.210000" HP "Memory at 70000000 (drc index 80000007) was hot-removed\n"
#define REFUSED	  "[    2.160000" HP "Memory indexed-count-remove failed, adding any removed LMBs\n"
#define PLACED	  "firn: hot-add placed node1 2\n"
#define PLACED_2  "firn: hot-add-again placed node1 2\n"
#define KTAP	  "KTAP version 1\n1..2\n"
#define OK	  KTAP "ok 1 hot-add-came\nok 2 hot-add-node\n"
#define DONE	  "firn: done\n"
#define REST	  AGAIN AGAIN_1 AGAIN_2 REMOVE REMOVED_1 REMOVED_2
#define WHOLE(us)                                                                                  \
	ATTEMPT ADDED_1 ADDED(us)                                                                  \
	PLACED REST PLACED_2 OK DONE

#define DEVTMPFS "[    0.004212] devtmpfs: initialized\n"
#define CALL	 "<7>[    0.025743] calling  init_mmap_min_addr+0x0/0x20 @ 1\n"

#endif
