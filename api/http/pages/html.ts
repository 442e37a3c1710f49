const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text that is already HTML. */
export interface Html {
  html: string
}

type Piece = string | number | Html | readonly Piece[]

const render = (piece: Piece): string => {
  if (typeof piece === 'object' && 'html' in piece) return piece.html
  if (typeof piece === 'object') return piece.map(render).join('')
  return String(piece).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** HTML template; inserted values are escaped unless they are HTML. */
export const html = (strings: TemplateStringsArray, ...pieces: Piece[]): Html => ({
  html: String.raw({ raw: strings }, ...pieces.map(render)),
})

/** Words between backticks become code. */
export const prose = (text: string): Html => ({
  html: render(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>'),
})
