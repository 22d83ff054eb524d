/** For an element that scrolls: without a pointer, it scrolls once it has the focus (WCAG 2.1.1). */
export const SCROLLS_BY_KEYS = { tabIndex: 0 } as const;
