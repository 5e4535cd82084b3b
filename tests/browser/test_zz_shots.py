
import sys
sys.path.insert(0, "/work/hub/w-queue")
from tests.browser.test_officers_night import night, dora, expect, JUDGED
OUT="/tmp/queue/"
def test_shots(officer, dora):
    officer.log_in("v-101")
    p=officer.page
    def size(w,h,s):
        p.set_viewport_size({"width":w,"height":h}); p.emulate_media(color_scheme=s)
    size(1280,800,"light")
    officer.press("Enter"); expect(p.locator("#verdict-form")).to_be_visible()
    dora.page.goto(p.url); expect(p.locator("#company")).to_contain_text("Dora")
    officer.press("a"); expect(p.locator("#company")).to_contain_text("yours")
    officer.press("c")
    p.wait_for_timeout(700)
    for w,h in ((1280,800),(1920,1080),(820,1100),(390,844)):
        for s in ("light","dark"):
            size(w,h,s); p.wait_for_timeout(150)
            p.screenshot(path=f"{OUT}bar-{w}-{s}.png")
            if w==390: p.screenshot(path=f"{OUT}bar-{w}-{s}-full.png", full_page=True)
    size(1280,800,"light")
    officer.press("Control+Enter"); p.wait_for_timeout(900)
    p.screenshot(path=f"{OUT}done-1280.png")
    officer.press("x","j","x","j","Shift+X"); p.wait_for_timeout(200)
    p.goto(officer.address+"/queue/?code=too-few-shakes"); officer.press("*","d"); p.wait_for_timeout(800)
    for w,h in ((1280,800),(390,844)):
        size(w,h,"light"); p.wait_for_timeout(150)
        p.screenshot(path=f"{OUT}chosen-{w}.png", full_page=w==390)
    size(1280,800,"dark")
    officer.press("Shift+Digit1"); p.wait_for_timeout(900); p.screenshot(path=f"{OUT}many-1280.png")
    size(1280,800,"light")
    p.goto(officer.address+"/queue/?sort=money"); p.wait_for_timeout(300)
    size(1920,1080,"dark"); p.wait_for_timeout(200); p.screenshot(path=f"{OUT}money-1920-dark.png")
    size(820,1100,"light"); p.wait_for_timeout(200); p.screenshot(path=f"{OUT}money-820.png")
    size(1280,800,"light")
    p.goto(officer.address+"/queue/?sort=money"); p.wait_for_timeout(300); officer.press("s"); p.wait_for_timeout(300); p.screenshot(path=f"{OUT}snooze-1280.png")
