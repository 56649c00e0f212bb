import type { Box } from "../model/catalogue";
import type { Point } from "../model/document";

/** How the drawing is seen: pixels per grid unit and the pixel at which the grid's origin lies. Whole numbers all. */
export interface View {
  readonly unit: number;
  readonly origin: Point;
}

/** The zoom levels, in pixels per grid unit; 16 is 100 %. */
export const UNITS = [8, 12, 16, 24, 32] as const;

/** The view of a new drawing. */
export const FIRST_VIEW: View = { unit: 16, origin: [0, 0] };

/** The pixel of a grid point. */
export function toPixel(view: View, point: Point): Point {
  return [view.origin[0] + point[0] * view.unit, view.origin[1] + point[1] * view.unit];
}

/** The point of the grid, between grid points too, under a pixel. */
export function toGrid(view: View, pixel: Point): Point {
  return [(pixel[0] - view.origin[0]) / view.unit, (pixel[1] - view.origin[1]) / view.unit];
}

/** The view moved by some pixels. */
export function panned(view: View, by: Point): View {
  return { unit: view.unit, origin: [view.origin[0] + Math.round(by[0]), view.origin[1] + Math.round(by[1])] };
}

/** The view at another zoom level, with the same point of the grid under the pixel `about`. */
export function zoomed(view: View, unit: number, about: Point): View {
  const [x, y] = toGrid(view, about);
  return { unit, origin: [Math.round(about[0] - x * unit), Math.round(about[1] - y * unit)] };
}

/** The next larger or smaller zoom level; the same one at the end of the scale. */
export function nextUnit(unit: number, step: 1 | -1): number {
  const index = UNITS.findIndex((each) => each === unit) + step;
  return UNITS[Math.min(UNITS.length - 1, Math.max(0, index))] ?? unit;
}

/** The view that shows a box in the middle of an area of pixels, as large as the levels up to 150 % allow. */
export function fitted(extent: Box | null, width: number, height: number): View {
  if (extent === null) {
    return FIRST_VIEW;
  }
  const [wide, high] = [extent[2] - extent[0] + 6, extent[3] - extent[1] + 6];
  const fits = UNITS.filter((unit) => unit <= 24 && wide * unit <= width && high * unit <= height);
  const unit = fits.at(-1) ?? UNITS[0];
  const middle: Point = [(extent[0] + extent[2]) / 2, (extent[1] + extent[3]) / 2];
  return { unit, origin: [Math.round(width / 2 - middle[0] * unit), Math.round(height / 2 - middle[1] * unit)] };
}
