// Live updates, keys and times of a page. Without it every page works; it is then as old as its "as of" says.
const status = document.querySelector('#as-of')
const ages = new Map()
const MODES = ['age', 'UTC', 'local']
let mode = MODES.indexOf(localStorage.getItem('times') ?? 'age')

const showTimes = () => {
  for (const time of document.querySelectorAll('time:not([data-clock])')) {
    if (!ages.has(time)) ages.set(time, time.textContent)
    const at = new Date(time.dateTime)
    const zone = MODES[mode] === 'UTC' ? 'UTC' : undefined
    time.textContent =
      mode <= 0
        ? ages.get(time)
        : at.toLocaleString('en-GB', { timeZone: zone, dateStyle: 'medium', timeStyle: 'medium' }) + (zone ? ' UTC' : '')
  }
}
showTimes()

// An update keeps the place of its reader: what is focused, typed, opened and scrolled.
const PLACES = 'a, button, summary, input, select, textarea, [tabindex]'
const nameOf = (element) => element.id || element.getAttribute('href') || element.getAttribute('aria-label') || element.textContent
const within = (selector) => [...document.querySelectorAll(`#content-of-page :is(${selector})`)]
const same = (selector, element) =>
  within(selector).filter((other) => other.tagName === element.tagName && nameOf(other) === nameOf(element))
let kept
const keepPlace = () => {
  const focused = document.activeElement
  const isInside = focused?.closest('#content-of-page') && focused.matches(PLACES)
  kept = {
    ...(isInside && { focused, turn: same(PLACES, focused).indexOf(focused) }),
    fields: within('input, select, textarea').flatMap((field) => {
      const isChanged = field.options
        ? [...field.options].some((one) => one.selected !== one.defaultSelected)
        : field.value !== field.defaultValue
      return field.id && isChanged ? [[field.id, field.value]] : []
    }),
    opened: within('details').map((details) => details.open),
    scrolled: within('.scroll, pre').map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]),
  }
}
const restorePlace = () => {
  if (!kept) return
  const { focused, turn, fields, opened, scrolled } = kept
  kept = undefined
  for (const [id, value] of fields) {
    const field = document.getElementById(id)
    if (field) field.value = value
  }
  for (const [place, details] of within('details').entries()) details.open = opened[place] ?? details.open
  for (const [place, region] of within('.scroll, pre').entries()) region.scrollTo(...(scrolled[place] ?? [0, 0]))
  if (!focused) return
  const found = same(PLACES, focused)
  ;(found[turn] ?? found[0])?.focus({ preventScroll: true })
}
document.body.addEventListener('htmx:before:swap', (event) => {
  if (!event.target.closest('#content-of-page')) return
  if (event.target.id === 'content-of-page' && (isPressed || isTyping())) {
    isLate = true
    event.preventDefault()
  } else keepPlace()
})
addEventListener('htmx:after:swap', () => {
  for (const time of ages.keys()) if (!time.isConnected) ages.delete(time)
  restorePlace()
  showTimes()
})

// What a page waits for: everything, or the events of one session or job.
const [scope, id] = (status?.dataset.live ?? '').split(/ (.*)/)
const asOf = () => status.querySelector('time')?.outerHTML ?? ''
let since = status ? asOf() : ''
let timer
const update = () => {
  clearTimeout(timer)
  timer = setTimeout(() => document.body.dispatchEvent(new Event('live')), 300)
}
const say = (words) => {
  const text = document.createElement('span')
  text.textContent = words
  status.replaceChildren(text)
  if (words !== 'Live') status.insertAdjacentHTML('beforeend', since)
}
// A form is not replaced under the hand that fills it in: the update waits until the hand leaves it.
const isTyping = () => document.activeElement?.matches('#content-of-page :is(input, select, textarea)')
let isLate = false
document.body.addEventListener('htmx:before:request', (event) => {
  if (event.target.id !== 'content-of-page' || !isTyping()) return
  isLate = true
  event.preventDefault()
})
const catchUp = () => {
  if (!isLate) return
  isLate = false
  update()
}
document.body.addEventListener('focusout', catchUp)
// A click is lost if what is pressed is replaced before it is released.
let isPressed = false
addEventListener('pointerdown', () => {
  isPressed = true
})
for (const name of ['pointerup', 'pointercancel', 'dragend'])
  addEventListener(name, () => {
    isPressed = false
    catchUp()
  })
// The answer states its own time: that of the service, which a local stack moves.
document.body.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  if (ctx.response.status >= 400) return
  document.querySelector('#failure')?.remove()
  const [clock] = /<time[^>]*data-clock>[^<]*<\/time>/.exec(ctx.text) ?? []
  if (clock) since = clock
})

if (scope) {
  const query = scope === 'all' ? '' : `?${new URLSearchParams({ [`${scope}Id`]: id })}`
  let stream
  const open = () => {
    stream = new EventSource(`/live${query}`)
    stream.onopen = () => {
      say('Live')
      update()
    }
    stream.addEventListener('changed', update)
    stream.onerror = () => {
      say('Not live. As of ')
      if (stream.readyState === EventSource.CLOSED) setTimeout(open, 5_000)
    }
  }
  open()
  addEventListener('pagehide', () => stream.close())
  // A page that the way back shows as it was follows nothing any more.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
}

// Keys.
const keys = document.querySelector('#keys')
const rows = () => [...document.querySelectorAll('.rows tr')].map((row) => row.querySelector('a, button, [tabindex]')).filter(Boolean)
const walk = (step) => {
  const all = rows()
  const current = document.activeElement?.closest('.rows tr')
  const place = current
    ? [...document.querySelectorAll('.rows tr')].filter((row) => row.querySelector('a, button, [tabindex]')).indexOf(current)
    : step > 0
      ? -1
      : all.length
  all[Math.min(Math.max(place + step, 0), all.length - 1)]?.focus()
}
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, select, textarea')) return
  const act = {
    '/': () => document.querySelector('#search')?.focus(),
    j: () => walk(1),
    k: () => walk(-1),
    t: () => {
      mode = (Math.max(mode, 0) + 1) % MODES.length
      localStorage.setItem('times', MODES[mode])
      showTimes()
    },
    '?': () => keys?.showModal(),
  }[event.key]
  if (act === undefined) return
  event.preventDefault()
  act()
})

// A click on an id copies it.
document.addEventListener('click', async (event) => {
  const code = event.target.closest?.('code.id')
  if (!code || !navigator.clipboard) return
  try {
    await navigator.clipboard.writeText(code.title || code.textContent)
    const notice = document.querySelector('#notice')
    notice.textContent = 'Copied'
    setTimeout(() => {
      if (notice.textContent === 'Copied') notice.textContent = ''
    }, 1_500)
  } catch {
    // The text is selected, so that the reader copies it.
  }
})
