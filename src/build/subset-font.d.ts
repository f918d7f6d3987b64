/** What is used of it. Those on DefinitelyTyped know no `keepFeatures`. */
declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    characters: string,
    options: {
      targetFormat: "woff2";
      variationAxes: Record<string, { min: number; max: number }>;
      /** OpenType tags; all of the font's unless told. */
      keepFeatures: string[];
      noHinting: boolean;
    },
  ): Promise<Buffer>;
}
