import { type Html, html } from '../../../pages/html.ts'
import { SCRIPT, STYLE } from '../../../pages/style.ts'
import { PRODUCT_NAME } from '../../../schemas/product.ts'

/** What a page says of itself, beside its content. */
export interface Head {
  /** Heading of the page. */
  title: string
  /** One sentence below the heading, and the description that a shared link shows. */
  lead?: string
  /** Address of the answer that the page shows, from the root of the service; a request without a wish gets JSON there. */
  answer?: string
  /** Place of the page in the navigation; that of the answer unless another is given. */
  place?: string
  /** Address of the page for links on other pages, absolute. */
  address?: string
  /** Address of the picture that a shared link shows, absolute: a PNG of 1200 × 630. */
  picture?: string
  /** Address of the script that the page needs for its work, from the root of the service; most pages need none. */
  script?: string
}

const NAVIGATION = [
  ['/jobs', 'Jobs'],
  ['/agents', 'Agents'],
  ['/docs', 'Documentation'],
  ['/verify', 'Verify a record'],
] as const

/** An icon without a request of its own. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230b6147'/%3E%3Cpath d='M8 17l5 5 11-12' fill='none' stroke='%23fff' stroke-width='4'/%3E%3C/svg%3E"

const navigation = (current: string | undefined): Html =>
  html`<nav class="bar" aria-label="Service"><a class="brand" href="/">${PRODUCT_NAME}</a>${NAVIGATION.map(([path, name]) =>
    current === path ? html`<a href="${path}" aria-current="page">${name}</a>` : html`<a href="${path}">${name}</a>`,
  )}</nav>`

const alternate = (answer: string | undefined): Html | string =>
  answer === undefined ? '' : html`<link rel="alternate" type="application/json" href="${answer}">`

/** What a link on another page shows beside title and description. */
const shared = ({ address, picture }: Head): Html =>
  html`${address === undefined ? '' : html`<meta property="og:url" content="${address}">`}${
    picture === undefined
      ? ''
      : html`<meta property="og:image" content="${picture}"><meta property="og:image:type" content="image/png"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630"><meta name="twitter:card" content="summary_large_image">`
  }`

const footer = (answer: string | undefined): Html =>
  answer === undefined
    ? html`<footer>This service signs every record that it issues. <a href="/verify">Verify one</a>.</footer>`
    : html`<footer>The same as JSON: <code>GET ${answer}</code> with <code>Accept: application/json</code>.</footer>`

/** A page of the service: one layout and one style. */
export const page = (head: Head, body: Html): string => {
  const { title, lead, answer, script, place } = head
  return `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · ${PRODUCT_NAME}</title>${
      lead === undefined ? '' : html`<meta name="description" content="${lead}"><meta property="og:description" content="${lead}">`
    }<meta property="og:title" content="${title}"><meta property="og:site_name" content="${PRODUCT_NAME}">${shared(head)}<link rel="icon" href="${{ html: ICON }}">${alternate(answer)}${script === undefined ? '' : html`<script type="module" src="${script}"></script>`}<style>${{ html: STYLE }}</style></head><body>
<a class="skip" href="#content">Skip to the content</a>
${navigation(place ?? answer?.split('?')[0])}
<main id="content">
<h1>${title}</h1>
${lead === undefined ? '' : html`<p class="lead">${lead}</p>`}
${body}
</main>
${footer(answer)}
<script>${{ html: SCRIPT }}</script></body></html>`.html
  }`
}
