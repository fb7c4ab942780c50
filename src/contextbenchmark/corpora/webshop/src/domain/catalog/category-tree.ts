export interface Category {
  readonly id: string;
  readonly title: string;
  readonly parent?: string;
}

/** Categories as a tree, checked once when it is built: parents exist and nobody is their own ancestor. */
export class CategoryTree {
  private readonly byId = new Map<string, Category>();
  private readonly children = new Map<string, Category[]>();

  constructor(categories: readonly Category[]) {
    for (const category of categories) {
      this.byId.set(category.id, category);
    }
    for (const category of categories) {
      if (category.parent === undefined) {
        continue;
      }
      if (!this.byId.has(category.parent)) {
        throw new Error(`category ${category.id} hangs below ${category.parent}, which does not exist`);
      }
      const siblings = this.children.get(category.parent) ?? [];
      this.children.set(category.parent, [...siblings, category]);
    }
    for (const category of categories) {
      this.breadcrumb(category.id);
    }
  }

  /** From the root down to the category: what is shown above a product list. */
  breadcrumb(id: string): Category[] {
    const trail: Category[] = [];
    const seen = new Set<string>();
    let current = this.byId.get(id);
    while (current !== undefined) {
      if (seen.has(current.id)) {
        throw new Error(`category ${id} is its own ancestor`);
      }
      seen.add(current.id);
      trail.unshift(current);
      current = current.parent === undefined ? undefined : this.byId.get(current.parent);
    }
    return trail;
  }

  /** The category and everything below it, so that a list of "knives" also shows bread knives. */
  descendants(id: string): string[] {
    const below = (this.children.get(id) ?? []).flatMap((child) => this.descendants(child.id));
    return [id, ...below];
  }
}
