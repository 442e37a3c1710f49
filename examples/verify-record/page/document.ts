// As much of a browser's document as the page uses.

export interface PageFile {
  readonly name: string
  readonly size: number
  arrayBuffer(): Promise<ArrayBuffer>
}

/** What a drop or a paste brings. */
export interface Transfer {
  readonly files: ArrayLike<PageFile>
  getData(format: string): string
}

export interface PageEvent {
  readonly target: unknown
  readonly dataTransfer?: Transfer | null
  readonly clipboardData?: Transfer | null
  preventDefault(): void
}

interface Listening {
  addEventListener(event: string, listener: (event: PageEvent) => void): void
}

export interface PageElement extends Listening {
  value: string
  checked: boolean
  className: string
  readonly files: ArrayLike<PageFile> | null
  readonly dataset: Readonly<Record<string, string | undefined>>
  append(...children: (PageElement | string)[]): void
  replaceChildren(...children: (PageElement | string)[]): void
  setAttribute(name: string, value: string): void
}

interface PageDocument extends Listening {
  getElementById(id: string): PageElement | null
  createElement(name: string): PageElement
  readonly body: PageElement
}
declare const document: PageDocument

/** The document of this page. */
export const pageDocument = document

/** An element of the page. */
export const getElement = (id: string): PageElement => {
  const found = pageDocument.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}

/** A new element; texts stay texts. */
export const element = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (PageElement | string)[]
): PageElement => {
  const made = pageDocument.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}
