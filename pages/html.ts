import { isolate } from './isolate.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text that is already HTML. */
export interface Html {
  html: string
}

type Piece = string | number | Html | readonly Piece[]

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

const render = (piece: Piece, write: (text: string) => string): string => {
  if (typeof piece === 'object' && 'html' in piece) return piece.html
  if (typeof piece === 'object') return piece.map((one) => render(one, write)).join('')
  return escaped(write(String(piece)))
}

const template =
  (write: (text: string) => string) =>
  (strings: TemplateStringsArray, ...pieces: Piece[]): Html => ({
    html: String.raw({ raw: strings }, ...pieces.map((piece) => render(piece, write))),
  })

/** HTML template; inserted values are escaped unless they are HTML, and turn no text beside them. */
export const html = template(isolate)

/** Template of a picture: each text stands alone, without marks of direction. */
export const svg = template((text) => text)

/** A text as the value of a form field, which sends it as it is. */
export const fieldValue = (text: string): Html => ({ html: escaped(text) })

/** Words between backticks become code. */
export const prose = (text: string): Html => ({
  html: render(text, isolate).replaceAll(/`([^`]+)`/g, '<code>$1</code>'),
})
