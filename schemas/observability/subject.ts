import { subject } from '../subject.ts'

export const observability = subject({ name: 'observability', kind: 'technical', buildsOn: ['chain'] })
