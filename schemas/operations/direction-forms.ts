import { z } from 'zod'

/** For each direction of a request the sets of members of which exactly one is sent. */
export type DirectionForms<Direction extends string> = Readonly<Record<Direction, readonly (readonly string[])[]>>

const sentence = (direction: string, forms: readonly (readonly string[])[]): string =>
  `${direction} takes ${forms.map((members) => members.join(' and ')).join(', or ')}, and nothing else`

/** Members that no form of the body has, as JSON Schema. */
const without = (names: readonly string[]) => (names.length === 0 ? {} : { not: { anyOf: names.map((name) => ({ required: [name] })) } })

/** States to readers of the document that a value of the member `key` takes one of its forms; the object's own rule refuses the others. */
export const statedForms = (key: string, forms: DirectionForms<string>, names: readonly string[]) => ({
  oneOf: Object.entries(forms).flatMap(([value, accepted]) =>
    accepted.map((form) => ({
      properties: { [key]: { const: value } },
      required: form,
      ...without(names.filter((name) => !form.includes(name))),
    })),
  ),
})

/** A body with `direction` and the given members, of which each direction takes its own; the document states the same. */
export const directionBody = <Direction extends string, Members extends z.ZodRawShape>(
  forms: DirectionForms<Direction>,
  members: Members,
) => {
  const names = Object.keys(members)
  const directions = Object.keys(forms) as [Direction, ...Direction[]]
  const body = z.strictObject({ direction: z.enum(directions), ...members })
  return body
    .superRefine((value: Record<string, unknown>, context) => {
      const direction = value.direction as Direction
      const sent = names.filter((name) => value[name] !== undefined)
      const accepted = forms[direction].some((form) => form.length === sent.length && form.every((name) => sent.includes(name)))
      if (!accepted) context.addIssue({ code: 'custom', path: ['direction'], message: sentence(direction, forms[direction]) })
    })
    .meta(statedForms('direction', forms, names))
}
