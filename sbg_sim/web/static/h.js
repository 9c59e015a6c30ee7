// Elements of the panels. Text stays text: nothing from a file is ever parsed as markup.

export function h(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const button = (words, onclick, props = {}) => h("button", { type: "button", onclick, ...props }, words);

export function field(name, value, onchange, props = {}) {
  return h("label", {}, h("span", {}, name), h("input", { onchange: (event) => onchange(event.target.value.trim(), event.target), ...props, value: value ?? "" }));
}

export function choice(name, value, options, onchange, props = {}) {
  const select = h("select", { onchange: (event) => onchange(event.target.value), ...props },
    options.map((option) => h("option", { value: option, selected: option === value }, option || "none")));
  return h("label", {}, h("span", {}, name), select);
}

export function check(name, value, onchange, props = {}) {
  return h("label", {}, h("input", { type: "checkbox", checked: Boolean(value), onchange: (event) => onchange(event.target.checked), ...props }), name);
}

export function save(name, content, type) {
  const link = h("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
