/** Gives the browser a file to keep. */
export function saveFile(name: string, content: BlobPart, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by the next turn; an address that is freed earlier is an empty file in some browsers.
  setTimeout(() => URL.revokeObjectURL(url));
}
