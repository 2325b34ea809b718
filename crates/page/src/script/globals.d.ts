// What the scripts of crates/figure define; the joiner puts them in front of the page's own.

interface CatenaPlotsHandle {
  setCursor(x: number, withValues?: boolean): void;
  onCursor(callback: (x: number) => void): void;
  redraw(): void;
  update(figure: any): void;
  dispose(): void;
}

declare const CatenaPlots: { create(root: HTMLElement, figure: any): CatenaPlotsHandle };

declare class CatenaSceneScene {
  constructor(film: any, figure: Element);
  film: any;
  frames: number;
  frame: number;
  tracks: Float32Array;
  energy: Float32Array;
  constraint: Float32Array;
  svg: SVGSVGElement;
  stage: SVGElement;
  figure: HTMLElement;
  now: Float64Array;
  pieces: any[];
  seek(frame: number): void;
  pose(values: ArrayLike<number>): void;
  draw(options: any): void;
  pose(values: ArrayLike<number>): void;
  x(metres: number): number;
  y(metres: number): number;
  place(anchor: number[], values?: ArrayLike<number>): [number, number];
}

declare const CatenaScene: {
  Scene: typeof CatenaSceneScene;
  floats(text: string): Float32Array;
  toggleTheme(): void;
};
