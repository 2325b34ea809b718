// Full-text search in pages from disk: the index is a script that is loaded when somebody begins to search.
(() => {
    const label = document.querySelector(".search");
    const input = label.querySelector("input");
    const list = document.querySelector(".found");
    const most = 24;
    label.hidden = false;
    let loading = null;

    function load() {
        loading ??= new Promise((done) => {
            const script = document.createElement("script");
            script.src = "search-index.js";
            script.onload = done;
            document.head.append(script);
        });
        return loading;
    }

    function excerpt(text, word) {
        const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
        return (at > 0 ? "… " : "") + text.slice(at, at + 120);
    }

    async function search() {
        await load();
        const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
        list.replaceChildren();
        list.hidden = words.length === 0;
        if (list.hidden) return;
        const rows = window.bookIndex
            .map(([title, address, text]) => {
                const [heading, body] = [title.toLowerCase(), text.toLowerCase()];
                const all = words.every((word) => heading.includes(word) || body.includes(word));
                const rank = words.filter((word) => heading.includes(word)).length;
                return { title, address, text, all, rank };
            })
            .filter((row) => row.all)
            .sort((a, b) => b.rank - a.rank || a.title.length - b.title.length);
        for (const row of rows.slice(0, most)) {
            const link = document.createElement("a");
            link.href = row.address;
            link.textContent = row.title;
            const words_around = document.createElement("small");
            words_around.textContent = excerpt(row.text, words[0]);
            const item = document.createElement("li");
            item.append(link, words_around);
            list.append(item);
        }
        if (rows.length === 0) list.append("nothing found");
    }

    input.addEventListener("focus", load, { once: true });
    input.addEventListener("input", search);
    document.addEventListener("keydown", (event) => {
        if (event.key === "/" && !/input|textarea/i.test(event.target.tagName)) {
            event.preventDefault();
            input.focus();
        }
    });
})();
