/** What names the panel on its pages (rules.md: Name and logo). */
export interface Brand {
  name: string;
  /** The address of its logo. */
  logo: string;
  supportLink: string | null;
}

export const latchkey: Brand = { name: "Latchkey", logo: "/mark.svg", supportLink: null };
