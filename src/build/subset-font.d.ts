/** The used part. The types on DefinitelyTyped have no `keepFeatures`. */
declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    characters: string,
    options: {
      targetFormat: "woff2";
      variationAxes: Record<string, { min: number; max: number }>;
      /** OpenType tags; by default all of the font's. */
      keepFeatures: string[];
      noHinting: boolean;
    },
  ): Promise<Buffer>;
}
