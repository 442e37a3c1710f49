/** Answers that are kept for conditional requests, the least recently used go first: so many, and so many bytes as they came together. */
const MAX_ANSWERS = 500
const MAX_BYTES = 32 * 1024 * 1024

export interface CachedAnswer {
  etag: string
  value: unknown
  /** Length of the body as it came. */
  bytes: number
}

/** Answers by address, with the tag under which the host says "not modified". */
export const createAnswerCache = ({ maxAnswers, maxBytes } = { maxAnswers: MAX_ANSWERS, maxBytes: MAX_BYTES }) => {
  const answers = new Map<string, CachedAnswer>()
  let totalBytes = 0

  const drop = (url: string): void => {
    totalBytes -= answers.get(url)?.bytes ?? 0
    answers.delete(url)
  }

  return {
    get: (url: string): CachedAnswer | undefined => {
      const answer = answers.get(url)
      if (answer === undefined) return undefined
      answers.delete(url)
      answers.set(url, answer)
      return answer
    },
    set: (url: string, answer: CachedAnswer): void => {
      drop(url)
      answers.set(url, answer)
      totalBytes += answer.bytes
      for (const oldest of answers.keys()) {
        if (answers.size <= maxAnswers && totalBytes <= maxBytes) return
        drop(oldest)
      }
    },
  }
}
