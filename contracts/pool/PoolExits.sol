// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {PoolShares} from "./PoolShares.sol";

/// @notice Ways out of a pool: at once, or after a notice at the price of the day it ends.
abstract contract PoolExits is PoolShares {
    enum NoticeTier {
        SevenDays,
        ThirtyDays
    }

    struct RedeemRequest {
        address owner;
        address receiver;
        uint256 shares;
        uint64 unlockAt;
        NoticeTier tier;
        bool fulfilled;
    }

    event Withdraw(
        address indexed caller, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );
    event RedeemRequested(
        uint256 indexed requestId,
        address indexed owner,
        address indexed receiver,
        uint256 shares,
        NoticeTier tier,
        uint64 unlockAt
    );
    event RedeemFulfilled(uint256 indexed requestId, uint256 shares, uint256 assets);

    error InsufficientUnlockedShares();
    error InsufficientBuffer(uint256 available, uint256 required);
    error RedeemRequestNotFound();
    error RedeemRequestAlreadyFulfilled();
    error NoticeNotElapsed(uint64 unlockAt);

    uint256 public constant NOTICE_7_DAYS = 7 days;
    uint256 public constant NOTICE_30_DAYS = 30 days;

    uint256 public nextRedeemRequestId = 1;
    mapping(uint256 requestId => RedeemRequest) public redeemRequests;

    /// @notice Burns shares and pays their value now.
    function redeem(uint256 shares, address receiver, address owner) external nonReentrant returns (uint256 assets) {
        if (shares == 0) revert ZeroShares();
        if (receiver == address(0) || owner == address(0)) revert ZeroAddress();
        if (msg.sender != owner) _spendAllowance(owner, shares);
        _requireFree(owner, shares);
        assets = convertToAssets(shares);
        if (assets == 0) revert ZeroAmount();
        _payOut(owner, receiver, shares, assets);
    }

    /// @notice Locks shares of the caller until a notice ends; it cannot be taken back.
    function requestRedeem(uint256 shares, address receiver, NoticeTier tier) external returns (uint256 requestId) {
        if (shares == 0) revert ZeroShares();
        if (receiver == address(0)) revert ZeroAddress();
        _requireFree(msg.sender, shares);
        uint64 unlockAt = uint64(block.timestamp + (tier == NoticeTier.SevenDays ? NOTICE_7_DAYS : NOTICE_30_DAYS));
        requestId = nextRedeemRequestId++;
        lockedShares[msg.sender] += shares;
        redeemRequests[requestId] = RedeemRequest(msg.sender, receiver, shares, unlockAt, tier, false);
        emit RedeemRequested(requestId, msg.sender, receiver, shares, tier, unlockAt);
    }

    /// @notice Pays a request whose notice has ended; anyone may call.
    function fulfilRedeem(uint256 requestId) external nonReentrant returns (uint256 assets) {
        RedeemRequest storage request = redeemRequests[requestId];
        (address owner, uint256 shares) = (request.owner, request.shares);
        if (owner == address(0)) revert RedeemRequestNotFound();
        if (request.fulfilled) revert RedeemRequestAlreadyFulfilled();
        if (block.timestamp < request.unlockAt) revert NoticeNotElapsed(request.unlockAt);
        assets = convertToAssets(shares);
        if (assets == 0) revert ZeroAmount();
        request.fulfilled = true;
        lockedShares[owner] -= shares;
        _payOut(owner, request.receiver, shares, assets);
        emit RedeemFulfilled(requestId, shares, assets);
    }

    /// @notice Shares that their owner may redeem.
    function availableShares(address account) public view virtual returns (uint256) {
        return balanceOf[account] - lockedShares[account];
    }

    /// @dev Refuses shares that wait for a notice.
    function _requireFree(address owner, uint256 shares) internal view virtual {
        if (balanceOf[owner] - lockedShares[owner] < shares) revert InsufficientUnlockedShares();
    }

    /// @dev An amount of 0 only burns.
    function _payOut(address owner, address receiver, uint256 shares, uint256 assets) internal {
        _requireBuffer(assets);
        _burn(owner, shares);
        if (assets > 0) _push(asset, receiver, assets);
        emit Withdraw(msg.sender, receiver, owner, assets, shares);
    }

    function _requireBuffer(uint256 assets) internal view {
        uint256 buffer = bufferAssets();
        if (buffer < assets) revert InsufficientBuffer(buffer, assets);
    }

    function _spendAllowance(address owner, uint256 shares) private {
        uint256 allowed = allowance[owner][msg.sender];
        if (allowed == type(uint256).max) return;
        allowance[owner][msg.sender] = allowed - shares;
        emit Approval(owner, msg.sender, allowed - shares);
    }
}
