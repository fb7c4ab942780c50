const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Markup that is known to be safe, as opposed to a string that came from somebody. */
export class SafeHtml {
  constructor(readonly markup: string) {}

  toString(): string {
    return this.markup;
  }
}

type Hole = string | number | SafeHtml | readonly SafeHtml[] | undefined | false;

/**
 * Tagged template: html`<p>${name}</p>` escapes what is put in, unless it is markup made the same way.
 * Forgetting to escape is thereby not possible, only forgetting to use the tag.
 */
export function html(parts: TemplateStringsArray, ...holes: readonly Hole[]): SafeHtml {
  let markup = parts[0] ?? "";
  holes.forEach((hole, position) => {
    markup += fill(hole) + (parts[position + 1] ?? "");
  });
  return new SafeHtml(markup);
}

function fill(hole: Hole): string {
  if (hole === undefined || hole === false) {
    return "";
  }
  if (hole instanceof SafeHtml) {
    return hole.markup;
  }
  if (typeof hole === "string" || typeof hole === "number") {
    return escapeHtml(String(hole));
  }
  return hole.map((piece) => piece.markup).join("");
}
