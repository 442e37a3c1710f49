import { subject } from '../subject.ts'

export const codehost = subject({ name: 'codehost', kind: 'technical', buildsOn: ['outbound'] })
