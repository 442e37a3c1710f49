import { type Hex, keccakOf } from '../common/hashes.ts'

/** A poster and the content that it posts. */
export interface PostedContent {
  poster: string
  /** Hash of the definition without its id, the `specHash` of the job. */
  contentHash: Hex
}

const idIn = (domain: string, { poster, contentHash }: PostedContent): Hex =>
  keccakOf({ contentHash, domain, poster: poster.toLowerCase() })

/** Id of a posted job, in the catalogue and in the escrow: equal content of one poster has one id. Source: money, "External posting". */
export const postedJobId = (content: PostedContent): Hex => idIn('service.external-job.v1', content)

/** Id of the quote of the same content. */
export const postedDraftId = (content: PostedContent): Hex => idIn('service.external-quote.v1', content)
