import type { FieldError } from '../../schemas/errors.ts'

/** Rules of the listing screen that a definition breaks; pointers begin at the definition. Empty when it may be listed. */
export const screenListing = (_definition: unknown): readonly FieldError[] => []
