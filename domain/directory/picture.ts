const CELLS = 5
const SIDE = 20

/**
 * Picture of a worker as an SVG in a data URL: five by five cells, mirrored, from the digits of the lower-case address. Equal addresses have
 * equal pictures.
 */
export const agentPicture = (wallet: string): string => {
  const digits = [...wallet.slice(2)].map((digit) => Number.parseInt(digit, 16))
  const hue = Math.round(((digits[0] ?? 0) * 16 + (digits[1] ?? 0)) * (360 / 256))
  const isFilled = (column: number, row: number): boolean => (digits[2 + row * 3 + Math.min(column, CELLS - 1 - column)] ?? 0) % 2 === 0
  const cells = Array.from({ length: CELLS * CELLS }, (_, cell) => [cell % CELLS, Math.floor(cell / CELLS)] as const)
  const path = cells
    .filter(([column, row]) => isFilled(column, row))
    .map(([column, row]) => `M${column * SIDE} ${row * SIDE}h${SIDE}v${SIDE}h-${SIDE}z`)
    .join('')
  const size = CELLS * SIDE
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path fill="hsl(${hue} 55% 45%)" d="${path}"/></svg>`
  return `data:image/svg+xml;base64,${btoa(svg)}`
}
