import { z } from 'zod'

export const settings = {
  /** Address of an encyclopedia's API; `{language}` stands for the edition. */
  WIKIPEDIA_API_URL: z.string().default('https://{language}.wikipedia.org/w/api.php'),
}
