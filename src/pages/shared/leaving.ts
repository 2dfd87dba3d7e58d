let beforeLeaving = () => {}

/** @param prepare called before the page reloads, or leads elsewhere */
export function prepareLeaving(prepare: () => void) {
  beforeLeaving = prepare
}

export function reload() {
  beforeLeaving()
  location.reload()
}

/** Leaves these pages. */
export function leave(url: string) {
  beforeLeaving()
  location.assign(url)
}
