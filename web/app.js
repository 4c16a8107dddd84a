/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What pages do more where scripts run: they follow what happens, draw plots that can be asked, and copy text. Nothing
 * here is needed to read a page. What comes from the server as text is only ever shown as text.
 */
"use strict";

(() => {
	const LOG_MAX = 1 << 20; /* characters of a log that are kept in the page */
	const RETRY_MIN_MS = 1000, RETRY_MAX_MS = 60000;
	const REFETCH_MS = 2000;
	const AT_END_PX = 48;

	const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
	const wait = (ms) => new Promise((done) => setTimeout(done, ms));

	function element(tag, className, text) {
		const e = document.createElement(tag);

		if (className)
			e.className = className;
		if (text !== undefined)
			e.textContent = text;
		return e;
	}

	/* As clock_span() of the server. */
	function span(seconds) {
		const s = Math.max(0, Math.round(seconds)), two = (n) => String(n).padStart(2, "0");

		if (seconds < 9.95)
			return `${Math.max(0, seconds).toFixed(1)} s`;
		if (s < 120)
			return `${s} s`;
		if (s < 7200)
			return `${Math.floor(s / 60)} min ${two(s % 60)} s`;
		return `${Math.floor(s / 3600)} h ${two(Math.floor(s / 60) % 60)} min`;
	}

	/* --- Copying --- */

	function copyBySelection(source) {
		const range = document.createRange(), selection = getSelection();

		range.selectNodeContents(source);
		selection.removeAllRanges();
		selection.addRange(range);
		return document.execCommand("copy");
	}

	async function copyText(source) {
		try {
			await navigator.clipboard.writeText(source.textContent);
			return true;
		} catch {
			/* Without TLS a page gets no clipboard. */
			return copyBySelection(source);
		}
	}

	function copyButton(source) {
		const button = element("button", "copy", "Copy");

		button.type = "button";
		button.addEventListener("click", async () => {
			button.textContent = await copyText(source) ? "Copied" : "Selected: copy it by hand";
			await wait(2000);
			button.textContent = "Copy";
		});
		const box = element("div", "copyable");

		source.before(box);
		box.append(source, button);
	}

	/* --- Streams of events --- */

	const status = element("span", "live");

	status.setAttribute("role", "status");

	/* Opens it, and again when it breaks: later and later, and not while nobody looks. `url()` is asked each
	 * time, so that a stream can go on where it was. */
	function follow(url, handlers) {
		let source = null, timer = 0, delay = RETRY_MIN_MS, over = false;

		function close() {
			clearTimeout(timer);
			if (source)
				source.close();
			source = null;
		}

		function broken() {
			status.textContent = "not live: trying again";
			if (source && source.readyState !== EventSource.CLOSED)
				return; /* the browser tries by itself */
			close();
			timer = setTimeout(open, delay * (0.5 + Math.random()));
			delay = Math.min(2 * delay, RETRY_MAX_MS);
		}

		function opened() {
			delay = RETRY_MIN_MS;
			status.textContent = "live";
		}

		function ended() {
			over = true;
			close();
			status.textContent = "";
			handlers.end();
		}

		function open() {
			if (over || source || document.hidden)
				return;
			source = new EventSource(url());
			source.addEventListener("open", opened);
			source.addEventListener("error", broken);
			source.addEventListener("end", ended);
			for (const [name, handler] of Object.entries(handlers.on))
				source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
		}

		document.addEventListener("visibilitychange", () => document.hidden ? close() : open());
		addEventListener("pagehide", close);
		addEventListener("pageshow", open);
		open();
	}

	/* --- The page anew, in place --- */

	const focusIsIn = (e) => e.contains(document.activeElement) && document.activeElement !== document.body;

	const sections = (page) => new Map([...page.querySelectorAll("main > section[id], main > .health")]
		.map((e) => [e.id || "health", e]));

	/* Sections of the page as it is now take the place of those that differ, come in and go; who is filling in a
	 * form there is not disturbed. */
	function replaceSections(now) {
		const old = sections(document), wanted = sections(now);
		let last = null;

		for (const [key, other] of wanted) {
			let e = old.get(key);

			if (!e || (!focusIsIn(e) && other.outerHTML !== e.outerHTML)) {
				const fresh = document.importNode(other, true);

				if (e)
					e.replaceWith(fresh);
				else if (last)
					last.after(fresh);
				else
					document.querySelector("main").append(fresh);
				e = fresh;
			}
			last = e;
		}
		for (const [key, e] of old)
			if (!wanted.has(key) && !focusIsIn(e))
				e.remove();
	}

	let fetching = false, fetchAgain = false;

	async function refetch() {
		if (fetching) {
			fetchAgain = true;
			return;
		}
		fetching = true;
		do {
			fetchAgain = false;
			try {
				const answer = await fetch(location.href, { headers: { Accept: "text/html" } });

				if (answer.ok)
					replaceSections(new DOMParser().parseFromString(await answer.text(), "text/html"));
			} catch {
				/* The stream tells when the server is gone. */
			}
			await wait(REFETCH_MS * (0.75 + Math.random() / 2));
		} while (fetchAgain);
		fetching = false;
	}

	/* --- A trial that runs --- */

	function badge(word) {
		return element("span", `badge ${word.replace(/ /g, "-")}`, word);
	}

	const stepWord = (step) => step.outcome || step.state;

	function stepProgress(step) {
		const parts = [];

		if (step.state !== "running")
			return parts;
		if (step.note)
			parts.push(element("bdi", "", step.note));
		if (step.total) {
			const bar = element("progress");

			bar.max = step.total;
			bar.value = step.done;
			bar.setAttribute("aria-label", "done of this step");
			parts.push(" ", bar, ` ${step.done} of ${step.total}`);
		}
		return parts;
	}

	function stepTime(step) {
		if (step.state === "done")
			return [step.cached ? "cached" : span(step.seconds)];
		if (step.state !== "running")
			return [];
		const so = element("span", "", span(Date.now() / 1000 - step.started));

		so.dataset.since = step.started;
		return [so, " so far"];
	}

	function showSteps(trial) {
		for (const step of trial.steps) {
			const row = document.querySelector(`#steps tr[data-step="${CSS.escape(step.name)}"]`);
			const said = JSON.stringify(step);

			if (!row || row.dataset.said === said)
				continue;
			row.dataset.said = said;
			row.cells[0].replaceChildren(badge(stepWord(step)));
			row.cells[2].replaceChildren(step.reason || "", ...stepProgress(step));
			row.cells[3].replaceChildren(...stepTime(step));
		}
	}

	function showVerdict(word, ...words) {
		const verdict = document.getElementById("verdict");

		if (!verdict)
			return;
		const text = element("span");

		text.append(...words);
		verdict.className = `verdict ${word.replace(/ /g, "-")}`;
		verdict.replaceChildren(badge(word), " ", text);
	}

	/* --- A log that grows --- */

	function logFollower(pre) {
		const name = document.getElementById("log-name");
		const down = element("button", "to-end", "Newest \u2193");
		let log = pre.dataset.log || "", at = Number(pre.dataset.at) || 0, size = pre.textContent.length;

		const isAtEnd = () => pre.scrollHeight - pre.scrollTop - pre.clientHeight < AT_END_PX;
		const toEnd = () => { pre.scrollTop = pre.scrollHeight; };

		function append(text) {
			const stays = !isAtEnd();

			pre.append(document.createTextNode(text));
			size += text.length;
			while (size > LOG_MAX && pre.childNodes.length > 1) {
				size -= pre.firstChild.textContent.length;
				pre.firstChild.remove();
			}
			if (!stays)
				toEnd();
			down.hidden = isAtEnd();
		}

		function begin(next) {
			if (next === log) {
				pre.replaceChildren();
				size = 0;
			} else if (log) {
				append(`\n==> ${next}\n`);
			}
			log = next;
			if (name)
				name.textContent = log;
		}

		down.type = "button";
		down.hidden = true;
		down.addEventListener("click", toEnd);
		pre.after(down);
		pre.addEventListener("scroll", () => { down.hidden = isAtEnd(); }, { passive: true });
		toEnd();
		return {
			position: () => log ? `log=${encodeURIComponent(log)}&at=${at}` : "",
			take(event) {
				if (event.begins || event.log !== log)
					begin(event.log);
				at = event.at;
				append(event.text);
			},
		};
	}

	function followPage() {
		const events = document.body.dataset.events;

		if (!events || !window.EventSource)
			return;
		const step = new URL(events, location.href).searchParams.get("step");
		const pre = document.getElementById("log-text");
		const log = pre && step ? logFollower(pre) : null;
		let state = "";

		function onTrial(trial) {
			const row = step && trial.steps.find((s) => s.name === step);

			showSteps(trial);
			if (row)
				showVerdict(stepWord(row), row.reason || "", ...stepProgress(row));
			/* Of a step that ended, and of a trial that began, the server knows more. */
			const now = row ? row.state : trial.state;

			if (state && state !== now && (now === "done" || !row))
				setTimeout(() => location.reload(), 300);
			state = now;
		}

		(document.querySelector("header.site") || document.body).append(status);
		follow(() => {
			const more = log && log.position();

			return more ? `${events}${events.includes("?") ? "&" : "?"}${more}` : events;
		}, {
			on: {
				trial: onTrial,
				log(event) {
					if (log)
						log.take(event);
				},
				/* The first one, too: between page and stream something may have happened. */
				queue: refetch,
			},
			end: () => setTimeout(() => location.reload(), 300 + 700 * Math.random()),
		});
	}

	function tick() {
		for (const e of all("[data-since]"))
			e.textContent = span(Date.now() / 1000 - Number(e.dataset.since));
	}

	/* --- Plots --- */

	const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

	function number(value, decimals) {
		return value === null || value === undefined ? "-"
			: value.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
	}

	function percent(value) {
		if (value === null || value === undefined)
			return "-";
		const p = 100 * value, size = Math.abs(p);
		const decimals = size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3;

		return `${p > 0 ? "+" : ""}${p.toFixed(decimals)} %`.replace("-", "\u2212");
	}

	const short = (value) => Math.abs(value) >= 1e9 ? `${value / 1e9} G` : Math.abs(value) >= 1e6 ? `${value / 1e6} M`
		: value.toLocaleString("en", { maximumFractionDigits: 6 });
	const ticks = (u, values) => values.map((v) => v === null ? "" : short(v));

	function axis(more) {
		return {
			stroke: colour("--muted"), grid: { stroke: colour("--rule"), width: 1 },
			ticks: { stroke: colour("--rule"), width: 1 }, font: "12px system-ui, sans-serif", values: ticks, ...more,
		};
	}

	function side(label, name, decimals, more) {
		return {
			label, stroke: colour(name), width: 2, value: (u, v) => number(v, decimals),
			points: { show: true, size: 7, fill: colour(name) }, ...more,
		};
	}

	/* Draws in units of the data below the series. */
	function drawn(draw) {
		return (u) => {
			const { ctx, bbox } = u;

			ctx.save();
			ctx.beginPath();
			ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
			ctx.clip();
			draw(u, ctx, (v) => u.valToPos(v, "x", true), (v) => u.valToPos(v, "y", true));
			ctx.restore();
		};
	}

	function line(ctx, x0, y0, x1, y1, stroke, width, dash = []) {
		ctx.beginPath();
		ctx.strokeStyle = stroke;
		ctx.lineWidth = width * devicePixelRatio;
		ctx.setLineDash(dash.map((d) => d * devicePixelRatio));
		ctx.moveTo(x0, y0);
		ctx.lineTo(x1, y1);
		ctx.stroke();
	}

	function samplesPlot(plot) {
		const n = Math.max(plot.base.length, plot.patched.length);
		const padded = (list) => list.concat(Array(n - list.length).fill(null));
		const dots = { width: 0, paths: () => null };

		return [{
			data: [Array.from({ length: n }, (unused, i) => i + 1), padded(plot.base), padded(plot.patched)],
			scales: { x: { time: false, range: [0.5, n + 0.5] }, y: plot.axis ? { range: plot.axis } : {} },
			axes: [axis({ label: "boot, in their order", labelSize: 18, labelFont: "12px system-ui, sans-serif",
				incrs: [1, 2, 5, 10, 20, 50, 100] }), axis({ size: 76 })],
			series: [{ label: "boot" }, side("base", "--base", plot.decimals, dots),
				side("patched", "--patched", plot.decimals, dots)],
			below: drawn((u, ctx, x, y) => {
				const { left, width } = u.bbox;

				if (plot.band) {
					ctx.fillStyle = colour("--band");
					ctx.fillRect(left, y(plot.band[1]), width, y(plot.band[0]) - y(plot.band[1]));
				}
				line(ctx, left, y(plot.medians[0]), left + width, y(plot.medians[0]), colour("--base"), 1.5);
				line(ctx, left, y(plot.medians[1]), left + width, y(plot.medians[1]), colour("--patched"), 1.5, [6, 4]);
			}),
			above: drawn((u, ctx, x, y) => {
				const at = u.bbox.left + u.bbox.width - 8 * devicePixelRatio, [lo, hi] = plot.interval || [null, null];

				if (lo === null)
					return;
				line(ctx, at, y(lo), at, y(hi), colour("--ink"), 1.5);
				for (const end of [lo, hi])
					line(ctx, at - 4 * devicePixelRatio, y(end), at + 4 * devicePixelRatio, y(end), colour("--ink"), 1.5);
			}),
		}];
	}

	function whiskers(u, ctx, x, y, xs, from, to, stroke, beside) {
		xs.forEach((v, i) => {
			if (from[i] === null || to[i] === null || from[i] === to[i])
				return;
			const at = x(v) + beside * devicePixelRatio;

			line(ctx, at, y(from[i]), at, y(to[i]), stroke, 1.5);
		});
	}

	function curveScale(values, log) {
		return log ? { time: false, distr: 3 } : { time: false, range: (u, lo, hi) => {
			const pad = (hi - lo) * 0.04 || 1;

			return [Math.min(0, lo), hi + pad];
		} };
	}

	function mediansPlot(plot) {
		return {
			title: `Median in ${plot.unit}`,
			data: [plot.x, plot.base.median, plot.patched.median],
			scales: { x: curveScale(plot.x, plot.log_x), y: curveScale(null, plot.log_y) },
			axes: [axis({ label: plot.x_title, labelSize: 18, labelFont: "12px system-ui, sans-serif" }), axis({ size: 76 })],
			series: [{ label: plot.x_title, value: (u, v) => v === null ? "-" : short(v) },
				side("base", "--base", plot.decimals), side("patched", "--patched", plot.decimals, { dash: [6, 4] })],
			below: drawn((u, ctx, x, y) => {
				whiskers(u, ctx, x, y, plot.x, plot.base.min, plot.base.max, colour("--base"), -3);
				whiskers(u, ctx, x, y, plot.x, plot.patched.min, plot.patched.max, colour("--patched"), 3);
			}),
		};
	}

	/* Sizes stand side by side: the question is at which of them something changed. */
	function changesPlot(plot) {
		const at = plot.x.map((unused, i) => i);
		const ends = plot.change.concat(...plot.intervals.filter(Boolean), [0]).filter((v) => v !== null);
		const lo = Math.min(...ends), hi = Math.max(...ends), pad = Math.max((hi - lo) * 0.15, 0.0005);

		return {
			title: "Change",
			data: [at, plot.change],
			scales: { x: { time: false, range: [-0.5, at.length - 0.5] }, y: { range: [lo < 0 ? lo - pad : 0, hi + pad] } },
			axes: [axis({ label: plot.x_title, labelSize: 18, labelFont: "12px system-ui, sans-serif", splits: () => at,
				values: (u, list) => list.map((i) => short(plot.x[i])) }),
				axis({ size: 76, values: (u, list) => list.map(percent) })],
			series: [{ label: plot.x_title, value: (u, v) => v === null ? "-" : short(plot.x[v]) },
				{ label: "change", stroke: colour("--ink"), width: 0, value: (u, v) => percent(v), paths: () => null,
					points: { show: false } }],
			below: drawn((u, ctx, x, y) => {
				const width = Math.min(40 * devicePixelRatio, 0.6 * (x(1) - x(0)));

				plot.change.forEach((v, i) => {
					ctx.fillStyle = colour({ worse: "--warn", better: "--pass" }[plot.words[i]] || "--skip");
					if (v !== null)
						ctx.fillRect(x(i) - width / 2, Math.min(y(0), y(v)), width, Math.abs(y(v) - y(0)));
				});
				line(ctx, u.bbox.left, y(0), u.bbox.left + u.bbox.width, y(0), colour("--muted"), 1);
			}),
			above: drawn((u, ctx, x, y) => {
				plot.intervals.forEach((pair, i) => {
					if (pair)
						line(ctx, x(i), y(pair[0]), x(i), y(pair[1]), colour("--ink"), 1.5);
				});
			}),
		};
	}

	function curvePlot(plot) {
		return [mediansPlot(plot), changesPlot(plot)];
	}

	function historyPlot(plot) {
		if (plot.when.length < 2)
			return [];
		const when = (v) => new Date(v * 1000).toISOString().slice(0, 10);
		const level = (i) => i ? plot.changes[i - 1].after : plot.changes[0].before;

		return [{
			data: [plot.when, plot.median],
			scales: { x: { time: true } },
			axes: [axis({ values: undefined }), axis({ size: 76, label: plot.unit, labelSize: 18, labelFont: "12px system-ui, sans-serif" })],
			series: [{ label: "commit", value: (u, v, s, i) => v === null ? "-"
				: `${when(v)} ${(plot.commit[i] || "").slice(0, 12)}` },
				side("base", "--base", plot.decimals, { width: 0, paths: () => null, points: { show: true, size: 5, fill: colour("--base") } })],
			below: drawn((u, ctx, x, y) => {
				const starts = [0, ...plot.changes.map((c) => c.at)];

				if (!plot.changes.length)
					return;
				starts.forEach((from, i) => {
					const last = (starts[i + 1] || plot.when.length) - 1;

					line(ctx, x(plot.when[from]), y(level(i)), x(plot.when[last]), y(level(i)), colour("--ink"), 1.5);
				});
				plot.changes.forEach((c) => {
					const at = (x(plot.when[c.at]) + x(plot.when[c.at - 1])) / 2;

					line(ctx, at, u.bbox.top, at, u.bbox.top + u.bbox.height, colour("--patched"), 1.5, [4, 3]);
				});
			}),
		}];
	}

	const kinds = { samples: samplesPlot, curve: curvePlot, history: historyPlot };

	/* Charts stand where the server's figures were, and give way to them on paper. */
	function chart(place, spec, height) {
		const box = element("div", "chart");
		const width = () => Math.max(box.clientWidth || place.clientWidth, 240);
		const { below, above, data, ...rest } = spec;

		place.append(box);
		const u = new uPlot({
			width: width(), height, cursor: { y: false }, legend: { live: true },
			hooks: { drawAxes: below ? [below] : [], draw: above ? [above] : [] }, ...rest,
		}, data, box);

		new ResizeObserver(() => {
			if (Math.abs(u.width - width()) > 1)
				u.setSize({ width: width(), height });
		}).observe(box);
	}

	function showPlot(place, plot) {
		const make = Object.hasOwn(kinds, plot.kind) && kinds[plot.kind];

		if (!make)
			return;
		for (const old of all(".chart", place))
			old.remove();
		const specs = make(plot);

		for (const spec of specs)
			chart(place, spec, plot.kind === "history" ? 240 : 220);
		place.classList.toggle("charted", specs.length > 0);
	}

	/* The numbers are fetched when the first plot of a benchmark comes into sight. */
	function plotGroup(container) {
		let numbers = null;
		const shown = new Map();
		const observer = new IntersectionObserver((entries) => {
			for (const entry of entries.filter((e) => e.isIntersecting)) {
				observer.unobserve(entry.target);
				show(entry.target);
			}
		}, { rootMargin: "200px" });

		async function show(place) {
			numbers = numbers || fetch(container.dataset.plots).then((answer) => answer.ok ? answer.json() : { plots: {} });
			try {
				const plot = (await numbers).plots[place.dataset.plot];

				if (plot) {
					shown.set(place, plot);
					showPlot(place, plot);
				}
			} catch {
				/* The server's figure stays. */
			}
		}

		for (const place of all("[data-plot]", container))
			observer.observe(place);
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
			for (const [place, plot] of shown)
				showPlot(place, plot);
		});
	}

	/* What scrolls sideways can be scrolled by keyboard, and is no stop on the way where all of it is seen. */
	function scrollers() {
		for (const e of all("pre, .wide"))
			if (e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight)
				e.tabIndex = 0;
			else
				e.removeAttribute("tabindex");
	}

	function start() {
		all("[data-copy]").forEach(copyButton);
		new ResizeObserver(scrollers).observe(document.body);
		followPage();
		setInterval(tick, 1000);
		if (window.uPlot)
			all("[data-plots]").forEach(plotGroup);
	}

	if (document.readyState === "loading")
		addEventListener("DOMContentLoaded", start);
	else
		start();
})();
