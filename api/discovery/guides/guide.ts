import { type Html, html } from '../../../pages/html.ts'
import type { ErrorCode } from '../../../schemas/errors.ts'
import type { TagName } from '../../../schemas/operations/tags.ts'
import { errorPath } from '../../http/problem.ts'
import { subjectPath } from '../pages/docs-index.ts'

/** What the guides name of the service that serves them. */
export interface GuidePlace {
  baseUrl: string
  /** Symbol of the asset that pays rewards and bonds. */
  asset: string
  /** Decimals of its base units. */
  decimals: number
}

/** One block to copy. */
export interface GuideStep {
  title: string
  /** What the block does, and why. */
  words: Html
  /** Commands for bash or zsh. A later block uses the variables of an earlier one. */
  code: string
  /** What the block prints, shortened. */
  prints: string
  /** What to do when it is refused, one sentence or two each. */
  refusals: readonly Html[]
  /** Present where the block is for a stack of the reader's own: what a reader of another service does in place of it. */
  elsewhere?: Html
}

/** A way through the service from its first command to its last. */
export interface Guide {
  /** Its place in the address. */
  name: string
  title: string
  lead: string
  /** What the reader needs, what it costs, and what the reader has at the end. */
  needs: Html
  costs: Html
  result: Html
  steps: readonly GuideStep[]
  next: readonly (readonly [address: string, name: string, words: string])[]
}

/** Address of a guide. */
export const guidePath = ({ name }: Pick<Guide, 'name'>): string => `/docs/guides/${name}`

/** A refusal by its code, with the remedy. */
export const onCode = (code: ErrorCode, remedy: string | Html): Html => html`<a href="${errorPath(code)}">${code}</a>: ${remedy}`

/** Link to the operations of a subject. */
export const subjectLink = (name: TagName): Html => html`<a href="${subjectPath(name)}">${name}</a>`
