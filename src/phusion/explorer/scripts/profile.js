// The column of proximities that a node's row was made of: all of it by rank, and its largest entries.

function profilePicture(lens, profile, chosen) {
  const count = profile.ranks.length, values = profile.curve.subarray(chosen * count, (chosen + 1) * count);
  const wide = 320, high = 110, left = 52, bottom = 20, top = 8, right = 8;
  const positive = [...values].filter(value => value > 0), least = positive.at(-1);
  const log = values[count - 1] >= 0 && positive[0] / least > 100; // zeros are drawn at the least that is not
  const scaled = value => (log ? Math.log10(Math.max(value, least)) : value);
  let low = Math.min(...[...values].map(scaled)), up = Math.max(...[...values].map(scaled));
  if (!log) low = Math.min(0, low);
  if (!(up > low)) up = low + 1;
  const last = Math.max(2, profile.ranks[count - 1]);
  const x = rank => left + ((wide - left - right) * Math.log(rank)) / Math.log(last);
  const y = value => top + (high - top - bottom) * (1 - (scaled(value) - low) / (up - low));
  const picture = drawn("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": `Proximities of ${ids[chosen]} from the largest, ${shown(values[0])}, to the smallest, ${shown(values[count - 1])}` });
  for (const share of [0, 0.5, 1]) {
    const value = log ? 10 ** (low + share * (up - low)) : low + share * (up - low), at = y(value);
    picture.append(drawn("line", { x1: left, x2: wide - right, y1: at, y2: at, class: "grid" }),
      drawn("text", { x: left - 4, y: at + 3, "text-anchor": "end", class: "quiet" }, shown(value)));
  }
  for (let rank = 1; rank <= last; rank *= 10)
    picture.append(drawn("text", { x: x(rank), y: high - 6, "text-anchor": rank === 1 ? "start" : "middle", class: "quiet" }, rank === 1 ? "rank 1" : rank.toLocaleString("en")));
  picture.append(drawn("polyline", { points: [...values].map((value, k) => `${x(profile.ranks[k]).toFixed(1)},${y(value).toFixed(1)}`).join(" "), class: `curve ${lenses[lens].name}` }));
  return picture;
}

function profileOf(lens, chosen) {
  const design = lenses[lens].designs[state.design[lens]], { profile } = design;
  if (!profile || isNowhere(lens, chosen)) return [];
  const few = Math.min(8, profile.k), list = make("ol", { class: "near" });
  for (let k = 0; k < few; k++) {
    const i = profile.index[chosen * profile.k + k], value = profile.largest[chosen * profile.k + k];
    if (value !== 0) list.append(make("li", {}, goTo(i, shown(value), i === chosen ? "itself" : null)));
  }
  return [
    make("h3", { class: lenses[lens].name }, `Proximity profile: ${lenses[lens].name}, ${design.name}`),
    make("p", { class: "small" }, "How closely this node is tied to every node: the closest is at the left (rank 1), the least close at the right. The closest are named below the curve.",
      make("br"), `Measured by ${design.words.split(" → ").slice(0, 2).join(" → ")} (${profile.of}).`),
    profilePicture(lens, profile, chosen),
    list,
  ];
}
