// Sends a form to the service as the page itself would, and returns what it answers as JSON.
export async function ask(path, entries = {}) {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(entries)) for (const one of [value].flat()) body.append(name, one);
  const answer = await fetch(path, {
    method: "POST", body, headers: { accept: "application/json", "x-form-token": document.body.dataset.token },
  });
  if (!answer.ok) throw new Error((await answer.json().catch(() => null))?.error?.detail ?? answer.statusText);
  return answer.json();
}
