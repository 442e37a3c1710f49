/** Answers that are kept for conditional requests, the least recently used go first: so many, and so many bytes as they came together. */
const KEPT = 500
const KEPT_BYTES = 32 * 1024 * 1024

export interface KeptAnswer {
  etag: string
  value: unknown
  /** Length of the body as it came. */
  bytes: number
}

/** Answers by address, with the tag under which the host says "not modified". */
export const createAnswerCache = ({ kept, bytes: most } = { kept: KEPT, bytes: KEPT_BYTES }) => {
  const answers = new Map<string, KeptAnswer>()
  let held = 0

  const drop = (url: string): void => {
    held -= answers.get(url)?.bytes ?? 0
    answers.delete(url)
  }

  return {
    get: (url: string): KeptAnswer | undefined => {
      const answer = answers.get(url)
      if (answer === undefined) return undefined
      answers.delete(url)
      answers.set(url, answer)
      return answer
    },
    set: (url: string, answer: KeptAnswer): void => {
      drop(url)
      answers.set(url, answer)
      held += answer.bytes
      for (const oldest of answers.keys()) {
        if (answers.size <= kept && held <= most) return
        drop(oldest)
      }
    },
  }
}
